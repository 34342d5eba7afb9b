import { hourMs, minuteMs } from "../base/clock.ts"
import { lastRun, markRun } from "../db/job-run.ts"
import { isOrphaned } from "../db/node.ts"
import { findRow } from "../db/store.ts"
import { type ChildRunsDeps, type IndexingRequest, type JobOutcome, openChildRuns } from "./child-runs.ts"

/** Indexing that the service starts by itself, in child processes. */
export interface Reindexing extends AsyncDisposable {
  /** Builds a project's index again from the stored documents. Joins a rebuild that waits or runs. */
  rebuild(projectId: string): Promise<void>
  /**
   * Reads all feeds of a project again; `force` allows the removal of more than half of the documents. Asked
   * for while such a reading runs, it is done once more, so that a feed added meanwhile is read.
   */
  readNow(projectId: string, options: { force: boolean }): Promise<AcceptedRequest>
  /** Removes a feed with its documents. */
  removeFeed(projectId: string, feedId: string): Promise<AcceptedRequest>
  /** Carries out what was accepted before the service stopped, and what a node that is gone had accepted. */
  resume(): Promise<void>
  /** Whether a request of the project runs or waits, here or on another node. */
  isBusy(projectId: string): Promise<boolean>
  /** Starts the scheduled reading of every project that is due. */
  readDue(): Promise<void>
}

/** A stored request: it will be carried out, even if the service stops first. */
export interface AcceptedRequest {
  done: Promise<void>
}

interface QueuedJob extends AcceptedRequest {
  projectId: string
  key: string
  hasBegun: boolean
}

/**
 * Pause after a failed rebuild, so that not every question starts another one. It doubles with each failure in a
 * row.
 */
const rebuildPauseMs = minuteMs
const maxRebuildPauseMs = hourMs

interface ReindexingDeps extends ChildRunsDeps {
  /** This process among the nodes; undefined where it is the only one. */
  node?: { id: string | undefined }
}

export function openReindexing(deps: ReindexingDeps): Reindexing {
  const { db, clock, log, node } = deps
  const runs = openChildRuns(deps)
  let isStopping = false
  const jobs = new Set<QueuedJob>()
  /** The last asker of each accepted request. Equal requests share one row, which only this one deletes. */
  const lastAsked = new Map<string, symbol>()
  const failures = new Map<string, { atMs: number; count: number }>()

  async function rebuild(projectId: string): Promise<void> {
    const { atMs, count } = failures.get(projectId) ?? { atMs: Number.NEGATIVE_INFINITY, count: 0 }
    const pauseMs = Math.min(rebuildPauseMs * 2 ** (count - 1), maxRebuildPauseMs)
    if (clock.now() - atMs < pauseMs) return
    const request = { kind: "rebuild" } as const
    // One process alone finds at its start what has to be built again: nothing need be stored.
    if (node?.id === undefined) return enqueue(projectId, request)
    const key = keyOf(projectId, request)
    const same = [...jobs].find((job) => job.key === key)
    if (same) return same.done
    if (!(await hold(projectId, request, { unlessHeld: true }))) return
    return carryOut(projectId, request, register(projectId, request))
  }

  /** Awaits none of the readings: one may take days while others become due. */
  async function readDue(): Promise<void> {
    const projects = await db
      .selectFrom("project")
      .innerJoin("feed", "feed.project_id", "project.id")
      .select(({ fn }) => ["project.id", "every_ms", fn.max("last_read_at").as("last_read_at")])
      .where("every_ms", "is not", null)
      .groupBy("project.id")
      .execute()
    for (const { id, every_ms, last_read_at } of projects) {
      const last = Math.max(last_read_at ?? 0, (await lastRun(db, `index ${id}`)) ?? 0)
      if (last + (every_ms as number) > clock.now() || (await isBusy(id))) continue
      await markRun(db, `index ${id}`, clock.now())
      await accept(id, { kind: "read", force: false })
    }
  }

  async function isBusy(projectId: string): Promise<boolean> {
    if ([...jobs].some((job) => job.projectId === projectId)) return true
    return (await findRow(db, "indexing_request", { project_id: projectId })) !== undefined
  }

  async function accept(projectId: string, request: IndexingRequest): Promise<AcceptedRequest> {
    // Registered before the row is stored: an equal request that ends meanwhile must leave the row.
    const asked = register(projectId, request)
    await hold(projectId, request, { unlessHeld: false })
    return { done: carryOut(projectId, request, asked) }
  }

  /**
   * Stores a request as held by this node: the last one that is asked carries it out. With `unlessHeld`, false when
   * another node that is alive does so already.
   */
  async function hold(
    projectId: string,
    request: IndexingRequest,
    { unlessHeld }: { unlessHeld: boolean },
  ): Promise<boolean> {
    const node_id = node?.id ?? null
    const rows = await db
      .insertInto("indexing_request")
      .values({ project_id: projectId, request: JSON.stringify(request), node_id })
      .onConflict((conflict) =>
        conflict
          .columns(["project_id", "request"])
          .doUpdateSet({ node_id })
          .$call((update) =>
            unlessHeld
              ? update.where((row) =>
                  row.or([row("indexing_request.node_id", "is", null), isOrphaned("indexing_request")(row)]),
                )
              : update,
          ),
      )
      .returning("project_id")
      .execute()
    return rows.length > 0
  }

  function register(projectId: string, request: IndexingRequest): symbol {
    const asked = Symbol()
    lastAsked.set(keyOf(projectId, request), asked)
    return asked
  }

  /** Never rejects: a row that cannot be deleted is carried out once more at the next start. */
  async function carryOut(projectId: string, request: IndexingRequest, asked: symbol): Promise<void> {
    await enqueue(projectId, request)
    const key = keyOf(projectId, request)
    if (isStopping || lastAsked.get(key) !== asked) return
    lastAsked.delete(key)
    await db
      .deleteFrom("indexing_request")
      .where("project_id", "=", projectId)
      .where("request", "=", JSON.stringify(request))
      .where("node_id", node?.id ? "=" : "is", node?.id ?? null)
      .execute()
      .catch((error) => log.error("an indexing could not be crossed off", { project: projectId, error }))
  }

  async function resume(): Promise<void> {
    const rows = await db
      .updateTable("indexing_request")
      .set({ node_id: node?.id ?? null })
      .where((row) => row.or([row("node_id", "is", null), isOrphaned("indexing_request")(row)]))
      .returning(["project_id", "request"])
      .execute()
    for (const { project_id, request: stored } of rows) {
      const request = JSON.parse(stored) as IndexingRequest
      carryOut(project_id, request, register(project_id, request))
    }
  }

  /** Never rejects: a failure is in the log, and the live index goes on answering. */
  function enqueue(projectId: string, request: IndexingRequest): Promise<void> {
    const key = keyOf(projectId, request)
    // A reading that has begun knows only the feeds of its start, so another one must follow it.
    const same = [...jobs].find((job) => job.key === key && !(job.hasBegun && request.kind === "read"))
    if (same) return same.done
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const job = { projectId, key, hasBegun: false, done }
    jobs.add(job)
    void run(job, request)
      .catch((error) => log.error("indexing could not be started", { project: projectId, error }))
      .finally(() => {
        jobs.delete(job)
        resolve()
      })
    return done
  }

  /** Resolves when the job is over; at once when the project no longer exists. */
  async function run(job: QueuedJob, request: IndexingRequest): Promise<void> {
    const { projectId } = job
    const project = await findRow(db, "project", { id: projectId })
    if (!project) return
    const outcome = await new Promise<JobOutcome>((onEnd) => {
      const onBegin = () => {
        job.hasBegun = true
      }
      runs.add({ projectId, workspaceId: project.workspace_id, request, onBegin, onEnd })
    })
    if (outcome === "failed")
      failures.set(projectId, { atMs: clock.now(), count: (failures.get(projectId)?.count ?? 0) + 1 })
    if (outcome !== "done") return
    failures.delete(projectId)
    // A reading ends when words answer. Its vectors follow at the end of the queue, and the project stays busy.
    if (request.kind !== "rebuild" && (await deps.isStale(projectId))) void rebuild(projectId)
  }

  return {
    rebuild,
    readNow: (projectId, { force }) => accept(projectId, { kind: "read", force }),
    removeFeed: (projectId, feedId) => accept(projectId, { kind: "remove_feed", feed: feedId }),
    resume,
    isBusy,
    readDue,
    async [Symbol.asyncDispose]() {
      isStopping = true
      await runs[Symbol.asyncDispose]()
    },
  }
}

/** Equal requests have equal JSON: a request is always written with its properties in one order. */
function keyOf(projectId: string, request: IndexingRequest): string {
  return `${projectId} ${JSON.stringify(request)}`
}
