import { type Clock, minuteMs } from "../../clock.ts"
import type { Db } from "../../db/connection.ts"
import { lastRun, markRun } from "../../db/job.ts"
import type { Log } from "../../log.ts"

/** Indexing that the service starts by itself: in a child process, one project after the other. */
export interface Reindexing extends AsyncDisposable {
  /** Builds a project's index again from the stored documents. Asked for again meanwhile, it is done once. */
  rebuild(projectId: string): Promise<void>
  /**
   * Reads all feeds of a project again; `force`: also when more than half of the documents would go. Asked for while that is
   * being done, it is done once more: a feed that was added meanwhile is read.
   */
  readNow(projectId: string, options: { force: boolean }): Promise<Accepted>
  /** Removes a feed with its documents. */
  removeFeed(projectId: string, feedId: string): Promise<Accepted>
  /** Goes on with what was accepted before the service stopped. */
  resume(): Promise<void>
  /** Whether something of this is being done for the project, or waits for its turn. */
  isBusy(projectId: string): boolean
  /** Reads the feeds again of every project whose time has come. */
  readDue(): Promise<void>
}

/** It will be done, also when the service stops before. */
export interface Accepted {
  done: Promise<void>
}

interface Tools {
  db: Db
  clock: Clock
  log: Log
  /** Runs a command of this program in a process of its own. */
  runChild(argv: string[], signal: AbortSignal): Promise<{ exitCode: number; lastWords: string }>
}

/** An index that cannot be built is not tried at every question. */
const rebuildPauseMs = minuteMs

export function openReindexing(tools: Tools): Reindexing {
  const { db, clock, log, runChild } = tools
  const stop = new AbortController()
  /** What has yet to begin: asked for again, it is done once. */
  const waiting = new Map<string, Promise<void>>()
  let running: { key: string; turn: Promise<void> } | undefined
  /** Of what was accepted, who asked last: that one alone crosses off the row that all of them share. */
  const lastAsked = new Map<string, symbol>()
  const failedAt = new Map<string, number>()
  let line: Promise<void> = Promise.resolve()

  function rebuild(projectId: string): Promise<void> {
    const failed = failedAt.get(projectId)
    if (failed !== undefined && clock.now() - failed < rebuildPauseMs) return Promise.resolve()
    return enqueue(projectId, ["index", projectId, "--stored"])
  }

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
      if (last + (every_ms as number) > clock.now()) continue
      await markRun(db, `index ${id}`, clock.now())
      await enqueue(id, ["index", id])
    }
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
    if (stop.signal.aborted || lastAsked.get(keyOf(argv)) !== asked) return
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
    const same = waiting.get(key) ?? (running?.key === key && !readsFeeds(argv) ? running.turn : undefined)
    if (same) return same
    const turn = line
      .then(() => {
        waiting.delete(key)
        running = { key, turn }
        return run(projectId, argv)
      })
      .finally(() => {
        running = undefined
      })
    line = turn
    waiting.set(key, turn)
    return turn
  }

  async function run(projectId: string, argv: string[]): Promise<void> {
    if (stop.signal.aborted) return
    try {
      // Somebody may be indexing the project from the command line: refused, what was accepted would never be done.
      const { exitCode, lastWords } = await runChild([...argv, "--wait", "--json"], stop.signal)
      if (stop.signal.aborted) return
      if (exitCode === 0) {
        failedAt.delete(projectId)
        log.info("indexed", { project: projectId })
      } else {
        failedAt.set(projectId, clock.now())
        log.warning("indexing failed", { project: projectId, exitCode, lastWords })
      }
    } catch (error) {
      if (!stop.signal.aborted) log.error("indexing could not be started", { project: projectId, error })
    }
  }

  return {
    rebuild,
    readNow: (projectId, { force }) => accept(projectId, ["index", projectId, ...(force ? ["--force"] : [])]),
    removeFeed: (projectId, feedId) => accept(projectId, ["feed", "remove", projectId, feedId]),
    resume,
    isBusy: (projectId) =>
      [...waiting.keys(), running?.key ?? ""].some((key) => key.split(" ").includes(projectId)),
    readDue,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await line
    },
  }
}

/** Of such a run, one that goes on cannot stand for another: it knows the feeds that there were when it began. */
function readsFeeds([command, , option]: string[]): boolean {
  return command === "index" && option !== "--stored"
}

function keyOf(argv: string[]): string {
  return argv.join(" ")
}
