import { minuteMs } from "../../base/clock.ts"
import { lastRun, markRun } from "../../db/job-run.ts"
import { type ChildRunsTools, type JobOutcome, openChildRuns } from "./child-runs.ts"

/** Indexing that the service starts by itself, in child processes. */
export interface Reindexing extends AsyncDisposable {
  /** Builds a project's index again from the stored documents. Asked for again meanwhile, it is done once. */
  rebuild(projectId: string): Promise<void>
  /**
   * Reads all feeds of a project again; `force`: also when more than half of the documents would go. Asked
   * for while that is being done, it is done once more: a feed that was added meanwhile is read.
   */
  readNow(projectId: string, options: { force: boolean }): Promise<Accepted>
  /** Removes a feed with its documents. */
  removeFeed(projectId: string, feedId: string): Promise<Accepted>
  /** Goes on with what was accepted before the service stopped. */
  resume(): Promise<void>
  /** Whether something of this is being done for the project, or waits for its turn. */
  isBusy(projectId: string): boolean
  /** Begins to read the feeds again of every project whose time has come. */
  readDue(): Promise<void>
}

/** It will be done, also when the service stops before. */
export interface Accepted {
  done: Promise<void>
}

/** An index that cannot be built is not tried at every question. */
const rebuildPauseMs = minuteMs

export function openReindexing(tools: ChildRunsTools): Reindexing {
  const { db, clock, log } = tools
  const runs = openChildRuns(tools)
  let isStopping = false
  const jobs = new Set<Accepted & { key: string; hasBegun: boolean }>()
  /** Of what was accepted, who asked last: that one alone crosses off the row that all of them share. */
  const lastAsked = new Map<string, symbol>()
  const failedAt = new Map<string, number>()

  function rebuild(projectId: string): Promise<void> {
    const failed = failedAt.get(projectId)
    if (failed !== undefined && clock.now() - failed < rebuildPauseMs) return Promise.resolve()
    return enqueue(projectId, ["index", projectId, "--stored"])
  }

  /** Waits for none of them: one may take days, and others become due meanwhile. */
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
      if (last + (every_ms as number) > clock.now() || isBusy(id)) continue
      await markRun(db, `index ${id}`, clock.now())
      void enqueue(id, ["index", id])
    }
  }

  function isBusy(projectId: string): boolean {
    return [...jobs].some(({ key }) => key.split(" ").includes(projectId))
  }

  async function accept(projectId: string, argv: string[]): Promise<Accepted> {
    // Before the row is stored: an earlier one that ends meanwhile must leave it.
    const asked = askedNow(argv)
    await db
      .insertInto("asked_indexing")
      .values({ project_id: projectId, command: JSON.stringify(argv) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { done: carryOut(projectId, argv, asked) }
  }

  function askedNow(argv: string[]): symbol {
    const asked = Symbol()
    lastAsked.set(keyOf(argv), asked)
    return asked
  }

  /** Never rejects: what cannot be crossed off is done once more at the next start. */
  async function carryOut(projectId: string, argv: string[], asked: symbol): Promise<void> {
    await enqueue(projectId, argv)
    if (isStopping || lastAsked.get(keyOf(argv)) !== asked) return
    lastAsked.delete(keyOf(argv))
    await db
      .deleteFrom("asked_indexing")
      .where("project_id", "=", projectId)
      .where("command", "=", JSON.stringify(argv))
      .execute()
      .catch((error) => log.error("an indexing could not be crossed off", { project: projectId, error }))
  }

  async function resume(): Promise<void> {
    const asked = await db.selectFrom("asked_indexing").selectAll().execute()
    for (const { project_id, command } of asked) {
      const argv = JSON.parse(command)
      carryOut(project_id, argv, askedNow(argv))
    }
  }

  /** Never rejects: what failed is in the log, and the live index answers on. */
  function enqueue(projectId: string, argv: string[]): Promise<void> {
    const key = keyOf(argv)
    const same = [...jobs].find((job) => job.key === key && !(job.hasBegun && readsFeeds(argv)))
    if (same) return same.done
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const job = { key, hasBegun: false, done }
    jobs.add(job)
    void begin(projectId, [...argv, ...(readsFeeds(argv) ? ["--resumable"] : []), "--wait", "--json"], job)
      .catch((error) => log.error("indexing could not be started", { project: projectId, error }))
      .finally(() => {
        jobs.delete(job)
        resolve()
      })
    return done
  }

  /** Resolves once it is over; at once when the project is not there any more. */
  async function begin(projectId: string, argv: string[], job: { hasBegun: boolean }): Promise<void> {
    const project = await db
      .selectFrom("project")
      .select("workspace_id as workspaceId")
      .where("id", "=", projectId)
      .executeTakeFirst()
    if (!project) return
    const outcome = await new Promise<JobOutcome>((ended) => {
      const begun = () => {
        job.hasBegun = true
      }
      runs.add({ projectId, ...project, argv, begun, ended })
    })
    if (outcome === "failed") failedAt.set(projectId, clock.now())
    if (outcome === "done") failedAt.delete(projectId)
  }

  return {
    rebuild,
    readNow: (projectId, { force }) => accept(projectId, ["index", projectId, ...(force ? ["--force"] : [])]),
    removeFeed: (projectId, feedId) => accept(projectId, ["feed", "remove", projectId, feedId]),
    resume,
    isBusy,
    readDue,
    async [Symbol.asyncDispose]() {
      isStopping = true
      await runs[Symbol.asyncDispose]()
    },
  }
}

/**
 * Of such a run, one that goes on cannot stand for another: it knows the feeds that there were when it began.
 */
function readsFeeds([command, , option]: string[]): boolean {
  return command === "index" && option !== "--stored"
}

function keyOf(argv: string[]): string {
  return argv.join(" ")
}
