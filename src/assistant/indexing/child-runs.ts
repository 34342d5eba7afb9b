import { type Clock, secondMs } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Progress } from "./indexing-run.ts"
import { recordFailure } from "./indexing-run.ts"
import { judgeTurn, shareMs, type TurnLimits } from "./turn-limits.ts"
import { openTurns } from "./turns.ts"
import { forgetReading } from "./unfinished-reading.ts"

/** A command of this program that indexes a project. */
export interface Job {
  projectId: string
  workspaceId: string
  argv: string[]
  /** Called when its first turn begins. */
  begun(): void
  /** Called once it is over. */
  ended(outcome: JobOutcome): void
}

/** `stopped`: the service ends; the next one may begin it again. */
export type JobOutcome = "done" | "failed" | "stopped"

/**
 * Runs jobs in child processes, workspaces in turn: one at a time, two where memory allows. A job whose turn
 * is over while others wait gives way and goes on at its next one. One that is stuck, takes too much memory,
 * or whose project is removed by whomever, is killed.
 */
export interface ChildRuns extends AsyncDisposable {
  add(job: Job): void
}

export interface ChildRunsTools {
  db: Db
  clock: Clock
  log: Log
  /**
   * Runs a command of this program in a process of its own; when `signal` is aborted it ends within seconds,
   * whatever it is doing.
   */
  runChild(argv: string[], signal: AbortSignal, limits: { memoryBytes: number }): Promise<ChildEnd>
  /** What further processes may take, in bytes. */
  freeMemory(): number
  /** What one job may take. */
  memoryBytes: number
  limits: TurnLimits
}

interface ChildEnd {
  exitCode: number
  stderrTail: string
  exceededMemory: boolean
}

interface Turn {
  job: Job
  stop: AbortController
  /** Why it was told to end. */
  told: "give_way" | "stuck" | "removed" | undefined
  /** Since when its time counts: since it got to work, or until then, since its process was started. */
  beganMs: number
  /** The run that was recorded before it began its own. */
  earlierRun: number | null | undefined
  isAtWork: boolean
  beat: Seen
  progress: Seen
  phase: Progress["phase"]
}

/** A value that changes, and when that was seen last. */
interface Seen {
  value: string
  atMs: number
}

const lookEveryMs = secondMs
/** What two jobs at one time need. */
const memoryForTwo = 2 * 1024 * 1024 * 1024

export function openChildRuns(tools: ChildRunsTools): ChildRuns {
  const { db, clock, log, memoryBytes, limits } = tools
  const turns = openTurns<Job>()
  const underWay = new Map<Turn, Promise<void>>()
  let isStopping = false
  let looking: NodeJS.Timeout | undefined
  const places = () => (turns.running() === 0 || tools.freeMemory() >= memoryForTwo ? 2 : 1)

  function add(job: Job): void {
    if (isStopping) job.ended("stopped")
    else {
      turns.add(job.workspaceId, job)
      begin()
    }
  }

  function begin(): void {
    for (;;) {
      const job = isStopping ? undefined : turns.next(places())
      if (!job) break
      const turn = newTurn(job)
      job.begun()
      underWay.set(turn, run(turn))
    }
    looking ??= setInterval(() => void look(), lookEveryMs)
    if (underWay.size === 0) {
      clearInterval(looking)
      looking = undefined
    }
  }

  async function run(turn: Turn): Promise<void> {
    const { job } = turn
    const { projectId } = job
    let end: ChildEnd | undefined
    try {
      turn.earlierRun = (await runOf(db, projectId))?.started_at
      end = await tools.runChild(job.argv, turn.stop.signal, { memoryBytes })
    } catch (error) {
      if (!isStopping) log.error("indexing could not be started", { project: projectId, error })
    }
    turns.end(job.workspaceId)
    if (isStopping) job.ended("stopped")
    else if (end?.exitCode === 0) {
      log.info("indexed", { project: projectId })
      job.ended("done")
    } else if (turn.told === "give_way" && !end?.exceededMemory) add(job)
    else {
      await fail(turn, end).catch((error) =>
        log.error("a failed indexing could not be recorded", { project: projectId, error }),
      )
      job.ended("failed")
    }
    underWay.delete(turn)
    begin()
  }

  async function fail(turn: Turn, end: ChildEnd | undefined): Promise<void> {
    const { projectId } = turn.job
    if (turn.told === "removed" || !(await runOf(db, projectId))) {
      log.info("indexing ended with its project", { project: projectId })
      return
    }
    const trouble = troubleOf(turn, end)
    if (trouble) log.warning("indexing failed", { project: projectId, reason: trouble.reason })
    else if (end)
      log.warning("indexing failed", {
        project: projectId,
        exitCode: end.exitCode,
        lastWords: end.stderrTail,
      })
    if (trouble) await recordFailure(db, projectId, trouble, clock.now())
    await forgetReading(db, projectId)
  }

  /** What the process could not say itself. */
  function troubleOf({ told }: Turn, end: ChildEnd | undefined) {
    const megabytes = Math.round(memoryBytes / 1024 / 1024)
    if (end?.exceededMemory) {
      const reason = `it took more than ${megabytes} MB of memory (GUICHET_INDEXING_MEMORY_MB)`
      return { told: detail("assistant.indexingTooLarge"), reason }
    }
    if (told !== "stuck") return undefined
    const reason = "it no longer got any further, and was ended"
    return { told: detail("assistant.indexingStuck"), reason }
  }

  /** Never rejects: what cannot be seen now is seen a second later. */
  async function look(): Promise<void> {
    const share = shareMs(turns.owners(), Math.max(turns.running(), 1), limits)
    const nowMs = performance.now()
    for (const turn of underWay.keys()) {
      if (turn.told) continue
      const run = await runOf(db, turn.job.projectId).catch(() => "unknown" as const)
      if (run === "unknown") continue
      if (!run) {
        tell(turn, "removed")
        continue
      }
      observe(turn, run, nowMs)
      const verdict = judgeTurn(
        {
          phase: turn.phase,
          sinceBeginMs: nowMs - turn.beganMs,
          sinceBeatMs: nowMs - turn.beat.atMs,
          sinceProgressMs: nowMs - turn.progress.atMs,
          isInTheWay: turns.isInTheWay(turn.job.workspaceId) && !isGivingWay(),
          shareMs: share,
        },
        limits,
      )
      if (verdict !== "go_on") tell(turn, verdict)
    }
  }

  /** One at a time: the place of the other may not be needed. */
  function isGivingWay(): boolean {
    return [...underWay.keys()].some(({ told }) => told === "give_way")
  }

  function tell(turn: Turn, why: NonNullable<Turn["told"]>): void {
    turn.told = why
    turn.stop.abort()
  }

  return {
    add,
    async [Symbol.asyncDispose]() {
      isStopping = true
      clearInterval(looking)
      for (const { stop } of underWay.keys()) stop.abort()
      for (const job of turns.clear()) job.ended("stopped")
      await Promise.all(underWay.values())
    },
  }
}

function newTurn(job: Job): Turn {
  const beganMs = performance.now()
  const seen = { value: "", atMs: beganMs }
  return {
    job,
    stop: new AbortController(),
    told: undefined,
    beganMs,
    earlierRun: undefined,
    isAtWork: false,
    beat: { ...seen },
    progress: { ...seen },
    phase: "reading",
  }
}

/**
 * Until the turn has a run of its own, it waits: for its process to start, or for somebody at a shell who
 * indexes the same project.
 */
function observe(turn: Turn, run: Run, nowMs: number): void {
  const isOwn = run.started_at !== null && run.started_at !== turn.earlierRun
  if (isOwn && !turn.isAtWork) turn.beganMs = nowMs
  if (isOwn) turn.phase = run.phase as Progress["phase"]
  turn.isAtWork = isOwn
  see(turn.beat, isOwn ? String(run.beat_at) : "", nowMs, isOwn)
  see(turn.progress, isOwn ? `${run.phase} ${run.done}` : "", nowMs, isOwn)
}

function see(seen: Seen, value: string, nowMs: number, isOwn: boolean): void {
  if (isOwn && seen.value === value) return
  seen.value = value
  seen.atMs = nowMs
}

type Run = NonNullable<Awaited<ReturnType<typeof runOf>>>

/**
 * The recorded run of a project, nulls when it has none; undefined when there is no such project any more.
 */
function runOf(db: Db, projectId: string) {
  return db
    .selectFrom("project")
    .leftJoin("indexing_run", "indexing_run.project_id", "project.id")
    .select(["started_at", "beat_at", "phase", "done"])
    .where("project.id", "=", projectId)
    .executeTakeFirst()
}
