import type { ExpressionBuilder } from "kysely"
import { hourMs, minuteMs } from "../base/clock.ts"
import { lastRun, markRun } from "../db/job-run.ts"
import { isOrphaned } from "../db/node.ts"
import type { Schema } from "../db/schema.ts"
import { deleteRows, findRow } from "../db/store.ts"
import { type ChildRunsDeps, type IndexingRequest, type JobOutcome, openChildRuns } from "./child-runs.ts"

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

/** What the functions below share. */
interface State extends ReindexingDeps {
  runs: ReturnType<typeof openChildRuns>
  isStopping: boolean
  jobs: Set<QueuedJob>
  /** The last asker of each accepted request. Equal requests share one row, which only this one deletes. */
  lastAsked: Map<string, symbol>
  /** Failed rebuilds in a row, by project. */
  failures: Map<string, { atMs: number; count: number }>
}

/** Indexing that the service starts by itself, in child processes. */
export type Reindexing = ReturnType<typeof openReindexing>

export function openReindexing(deps: ReindexingDeps) {
  const state: State = {
    ...deps,
    runs: openChildRuns(deps),
    isStopping: false,
    jobs: new Set(),
    lastAsked: new Map(),
    failures: new Map(),
  }
  return {
    rebuild: (projectId: string) => rebuild(state, projectId),
    /**
     * Reads all feeds of a project again; `force` allows the removal of more than half of the documents. Asked
     * for while such a reading runs, it is done once more, so that a feed added meanwhile is read.
     */
    readNow: (projectId: string, { force }: { force: boolean }) =>
      accept(state, projectId, { kind: "read", force }),
    /** Removes a feed with its documents. */
    removeFeed: (projectId: string, feed: string) => accept(state, projectId, { kind: "remove_feed", feed }),
    resume: () => resume(state),
    isBusy: (projectId: string) => isBusy(state, projectId),
    readDue: () => readDue(state),
    async [Symbol.asyncDispose]() {
      state.isStopping = true
      await state.runs[Symbol.asyncDispose]()
    },
  }
}

/** Builds a project's index again from the stored documents. Joins a rebuild that waits or runs. */
async function rebuild(state: State, projectId: string): Promise<void> {
  const { clock, node, jobs, failures } = state
  const { atMs, count } = failures.get(projectId) ?? { atMs: Number.NEGATIVE_INFINITY, count: 0 }
  const pauseMs = Math.min(rebuildPauseMs * 2 ** (count - 1), maxRebuildPauseMs)
  if (clock.now() - atMs < pauseMs) return
  const request = { kind: "rebuild" } as const
  // One process alone finds at its start what has to be built again: nothing need be stored.
  if (node?.id === undefined) return enqueue(state, projectId, request)
  const key = keyOf(projectId, request)
  const same = [...jobs].find((job) => job.key === key)
  if (same) return same.done
  if (!(await hold(state, projectId, request, { unlessHeld: true }))) return
  return carryOut(state, projectId, request, register(state, projectId, request))
}

/**
 * Starts the scheduled reading of every project that is due. Awaits none of the readings: one may take days while
 * others become due.
 */
async function readDue(state: State): Promise<void> {
  const { db, clock } = state
  const projects = await db
    .selectFrom("project")
    .innerJoin("feed", "feed.project_id", "project.id")
    .select(({ fn }) => ["project.id", "every_ms", fn.max("last_read_at").as("last_read_at")])
    .where("every_ms", "is not", null)
    .groupBy("project.id")
    .execute()
  for (const { id, every_ms, last_read_at } of projects) {
    const last = Math.max(last_read_at ?? 0, (await lastRun(db, `index ${id}`)) ?? 0)
    if (last + (every_ms as number) > clock.now() || (await isBusy(state, id))) continue
    await markRun(db, `index ${id}`, clock.now())
    await accept(state, id, { kind: "read", force: false })
  }
}

/** Whether a request of the project runs or waits, here or on another node. */
async function isBusy({ db, jobs }: State, projectId: string): Promise<boolean> {
  if ([...jobs].some((job) => job.projectId === projectId)) return true
  return (await findRow(db, "indexing_request", { project_id: projectId })) !== undefined
}

async function accept(state: State, projectId: string, request: IndexingRequest): Promise<AcceptedRequest> {
  // Registered before the row is stored: an equal request that ends meanwhile must leave the row.
  const asker = register(state, projectId, request)
  await hold(state, projectId, request, { unlessHeld: false })
  return { done: carryOut(state, projectId, request, asker) }
}

/**
 * Stores a request as held by this node: the last one that is asked carries it out. With `unlessHeld`, false when
 * another node that is alive does so already.
 */
async function hold(
  { db, node }: State,
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
        .$call((update) => (unlessHeld ? update.where(isUnheld) : update)),
    )
    .returning("project_id")
    .execute()
  return rows.length > 0
}

/** A node that is alive holds the request no more, or never did. */
function isUnheld(row: ExpressionBuilder<Schema, "indexing_request">) {
  return row.or([row("indexing_request.node_id", "is", null), isOrphaned("indexing_request")(row)])
}

function register({ lastAsked }: State, projectId: string, request: IndexingRequest): symbol {
  const asker = Symbol()
  lastAsked.set(keyOf(projectId, request), asker)
  return asker
}

/** Never rejects: a row that cannot be deleted is carried out once more at the next start. */
async function carryOut(state: State, projectId: string, request: IndexingRequest, asker: symbol) {
  const { db, log, node, lastAsked } = state
  await enqueue(state, projectId, request)
  const key = keyOf(projectId, request)
  if (state.isStopping || lastAsked.get(key) !== asker) return
  lastAsked.delete(key)
  const row = { project_id: projectId, request: JSON.stringify(request), node_id: node?.id ?? null }
  await deleteRows(db, "indexing_request", row).catch((error) =>
    log.error("an indexing could not be crossed off", { project: projectId, error }),
  )
}

/** Carries out what was accepted before the service stopped, and what a node that is gone had accepted. */
async function resume(state: State): Promise<void> {
  const { db, node } = state
  const rows = await db
    .updateTable("indexing_request")
    .set({ node_id: node?.id ?? null })
    .where(isUnheld)
    .returning(["project_id", "request"])
    .execute()
  for (const { project_id, request: stored } of rows) {
    const request = JSON.parse(stored) as IndexingRequest
    void carryOut(state, project_id, request, register(state, project_id, request))
  }
}

/** Never rejects: a failure is in the log, and the live index goes on answering. */
function enqueue(state: State, projectId: string, request: IndexingRequest): Promise<void> {
  const { log, jobs } = state
  const key = keyOf(projectId, request)
  // A reading that has begun knows only the feeds of its start, so another one must follow it.
  const same = [...jobs].find((job) => job.key === key && !(job.hasBegun && request.kind === "read"))
  if (same) return same.done
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const job = { projectId, key, hasBegun: false, done }
  jobs.add(job)
  void runJob(state, job, request)
    .catch((error) => log.error("indexing could not be started", { project: projectId, error }))
    .finally(() => {
      jobs.delete(job)
      resolve()
    })
  return done
}

/** Resolves when the job is over; at once when the project no longer exists. */
async function runJob(state: State, job: QueuedJob, request: IndexingRequest): Promise<void> {
  const { db, clock, runs, failures } = state
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
  if (request.kind !== "rebuild" && (await state.isStale(projectId))) void rebuild(state, projectId)
}

/** Equal requests have equal JSON: a request is always written with its properties in one order. */
function keyOf(projectId: string, request: IndexingRequest): string {
  return `${projectId} ${JSON.stringify(request)}`
}
