import { type Clock, secondMs } from "../base/clock.ts"
import { type Detail, detail } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { generatorsFound } from "../reading/feed.ts"
import { type Progress, recordFailure } from "./indexing-run.ts"
import { nextStepOfTurn, shareMs, type TurnLimits } from "./turn-limits.ts"
import { openTurns, type Turns } from "./turns.ts"
import { forgetHandledOf, forgetReading } from "./unfinished-reading.ts"

/** An indexing of one project, as the service asks for it and as `indexing_request` stores it. */
export type IndexingRequest =
  /** Reads all feeds again. `force` allows the removal of more than half of the documents. */
  | { kind: "read"; force: boolean }
  /** Builds the index again from the stored documents. */
  | { kind: "rebuild" }
  /** Removes a feed with its documents. */
  | { kind: "remove_feed"; feed: string }

/** One request for a project of one workspace, on its way through the queue. */
export interface Job {
  projectId: string
  workspaceId: string
  request: IndexingRequest
  /** Called when its first turn begins. */
  onBegin(): void
  /** Called once, after its last turn. */
  onEnd(outcome: JobOutcome): void
}

/** `stopped`: the service ends; the next one may begin the job again. */
export type JobOutcome = "done" | "failed" | "stopped"

export interface ChildRunsDeps {
  db: Db
  clock: Clock
  log: Log
  /**
   * Carries out a request in a process of its own. When `signal` is aborted, the process ends within seconds,
   * whatever it is doing; when `giveWay` is, once the pages are read that it has asked for.
   */
  runIndexing(
    projectId: string,
    request: IndexingRequest,
    signal: AbortSignal,
    limits: { memoryBytes: number; giveWay: AbortSignal },
  ): Promise<ChildEnd>
  /** Whether the live index of a project has to be built again, for instance to get its vectors. */
  isStale(projectId: string): Promise<boolean>
  /** Bytes that further processes may take. */
  freeMemory(): number
  /** Bytes that one job may take. */
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
  giveWay: AbortController
  /** Why the process was told to end, and when. */
  stopReason: "give_way" | "stuck" | "removed" | undefined
  stoppedMs: number
  /** Start of the counted time: the start of the process, then the first page of its recorded run. */
  beganMs: number
  /** Start of the project's run that was recorded before this turn. */
  earlierRun: number | null | undefined
  isAtWork: boolean
  beat: LastChange
  progress: LastChange
  phase: Progress["phase"]
}

/** The last seen value of something that changes, and the time of its last change. */
interface LastChange {
  value: string
  atMs: number
}

const watchEveryMs = secondMs
/** Free memory that a second job needs. */
const memoryForTwo = 2 * 1024 * 1024 * 1024

interface ChildRuns extends ChildRunsDeps {
  turns: Turns<Job>
  running: Map<Turn, Promise<void>>
  isStopping: boolean
  watching: NodeJS.Timeout | undefined
}

/**
 * Runs jobs in child processes, workspaces in turn: one at a time, two where memory allows. When a turn is
 * over while others wait, the job gives way and resumes at its next turn. A process is killed when it is
 * stuck, takes too much memory, or loses its project.
 */
export function openChildRuns(deps: ChildRunsDeps) {
  const runs: ChildRuns = {
    ...deps,
    turns: openTurns(),
    running: new Map(),
    isStopping: false,
    watching: undefined,
  }
  return {
    add: (job: Job) => add(runs, job),
    async [Symbol.asyncDispose]() {
      const { running, turns } = runs
      runs.isStopping = true
      clearInterval(runs.watching)
      for (const { stop } of running.keys()) stop.abort()
      for (const job of turns.clear()) job.onEnd("stopped")
      await Promise.all(running.values())
    },
  }
}

function add(runs: ChildRuns, job: Job): void {
  if (runs.isStopping) job.onEnd("stopped")
  else {
    runs.turns.add(job.workspaceId, job)
    beginTurns(runs)
  }
}

function beginTurns(runs: ChildRuns): void {
  const { turns, running, freeMemory } = runs
  while (!runs.isStopping) {
    const job = turns.next(turns.running() === 0 || freeMemory() >= memoryForTwo ? 2 : 1)
    if (!job) break
    const turn = newTurn(job)
    job.onBegin()
    running.set(turn, runTurn(runs, turn))
  }
  runs.watching ??= setInterval(() => void watch(runs), watchEveryMs)
  if (running.size === 0) {
    clearInterval(runs.watching)
    runs.watching = undefined
  }
}

/** Never rejects. */
async function runTurn(runs: ChildRuns, turn: Turn): Promise<void> {
  const { db, log, memoryBytes } = runs
  const { job, stop } = turn
  const { projectId, request } = job
  let end: ChildEnd | undefined
  try {
    turn.earlierRun = (await recordedRun(db, projectId))?.started_at
    const giveWay = turn.giveWay.signal
    end = await runs.runIndexing(projectId, request, stop.signal, { memoryBytes, giveWay })
  } catch (error) {
    if (!runs.isStopping) log.error("indexing could not be started", { project: projectId, error })
  }
  runs.turns.end(job.workspaceId)
  await endTurn(runs, turn, end)
  runs.running.delete(turn)
  beginTurns(runs)
}

async function endTurn(runs: ChildRuns, turn: Turn, end: ChildEnd | undefined): Promise<void> {
  const { db, log } = runs
  const { job, stopReason } = turn
  const project = job.projectId
  if (runs.isStopping) job.onEnd("stopped")
  else if (end?.exitCode === 0) {
    const generators = await generatorsFound(db, project).catch(() => [])
    log.info("indexed", { project, ...(generators.length > 0 && { generators }) })
    job.onEnd("done")
  } else if (stopReason === "give_way" && !end?.exceededMemory) add(runs, job)
  else {
    await recordFailedTurn(runs, turn, end).catch((error) =>
      log.error("a failed indexing could not be recorded", { project, error }),
    )
    job.onEnd("failed")
  }
}

async function recordFailedTurn(
  { db, clock, log, memoryBytes }: ChildRuns,
  { job, stopReason }: Turn,
  end: ChildEnd | undefined,
): Promise<void> {
  const project = job.projectId
  if (stopReason === "removed" || !(await recordedRun(db, project))) {
    log.info("indexing ended with its project", { project })
    return
  }
  const failure = failureOfKilled(stopReason, end, memoryBytes)
  if (failure) {
    log.warning("indexing failed", { project, ...failure.reason })
    await recordFailure(db, project, failure, clock.now())
  } else if (end)
    log.warning("indexing failed", { project, exitCode: end.exitCode, lastWords: end.stderrTail })
  await forgetReading(db, project)
  await forgetHandledOf(db, project)
}

/** The failure of a killed process, which could not record it itself. */
function failureOfKilled(
  stopReason: Turn["stopReason"],
  end: ChildEnd | undefined,
  memoryBytes: number,
): { told: Detail; reason: Detail } | undefined {
  const megabytes = Math.round(memoryBytes / 1024 / 1024)
  if (end?.exceededMemory)
    return {
      told: detail("assistant.indexingTooLarge"),
      reason: detail("reading.indexingMemory", { megabytes }),
    }
  return stopReason === "stuck"
    ? { told: detail("assistant.indexingStuck"), reason: detail("reading.indexingStuck") }
    : undefined
}

/** Never rejects: a database that cannot be read is read again a second later. */
async function watch({ db, turns, running, limits }: ChildRuns): Promise<void> {
  const share = shareMs(turns.owners(), Math.max(turns.running(), 1), limits)
  const nowMs = performance.now()
  for (const turn of running.keys()) {
    if (turn.stopReason === "give_way" && nowMs - turn.stoppedMs > limits.givingWayMs) turn.stop.abort()
    if (turn.stopReason) continue
    const run = await recordedRun(db, turn.job.projectId).catch(() => "unknown" as const)
    if (run === "unknown") continue
    if (!run) {
      stopTurn(turn, "removed")
      continue
    }
    observe(turn, run, nowMs)
    // Only one turn gives way at a time: its place may be enough for the waiting ones.
    const isGivingWay = [...running.keys()].some(({ stopReason }) => stopReason === "give_way")
    const verdict = nextStepOfTurn(
      {
        phase: turn.phase,
        isAtWork: turn.isAtWork,
        sinceBeginMs: nowMs - turn.beganMs,
        sinceBeatMs: nowMs - turn.beat.atMs,
        sinceProgressMs: nowMs - turn.progress.atMs,
        isInTheWay: turns.isInTheWay(turn.job.workspaceId) && !isGivingWay,
        shareMs: share,
      },
      limits,
    )
    if (verdict !== "go_on") stopTurn(turn, verdict)
  }
}

function stopTurn(turn: Turn, reason: NonNullable<Turn["stopReason"]>): void {
  turn.stopReason = reason
  turn.stoppedMs = performance.now()
  if (reason === "give_way") turn.giveWay.abort()
  else turn.stop.abort()
}

function newTurn(job: Job): Turn {
  const beganMs = performance.now()
  const unseen = { value: "", atMs: beganMs }
  return {
    job,
    stop: new AbortController(),
    giveWay: new AbortController(),
    stopReason: undefined,
    stoppedMs: 0,
    beganMs,
    earlierRun: undefined,
    isAtWork: false,
    beat: { ...unseen },
    progress: { ...unseen },
    phase: "reading",
  }
}

/**
 * Updates a turn from the recorded run. Until the turn has recorded a run of its own, it waits: for its
 * process to start, or for a person at a shell who indexes the same project. It is at work once that run goes on:
 * the list of pages comes before the first of them, and is asked for in each turn.
 */
function observe(turn: Turn, run: Run, nowMs: number): void {
  const isOwn = run.started_at !== null && run.started_at !== turn.earlierRun
  const progress = isOwn ? `${run.phase} ${run.done}` : ""
  const isAtWork =
    isOwn && (turn.isAtWork || (turn.progress.value !== "" && turn.progress.value !== progress))
  if (isAtWork && !turn.isAtWork) turn.beganMs = nowMs
  if (isOwn) turn.phase = run.phase as Progress["phase"]
  turn.isAtWork = isAtWork
  update(turn.beat, isOwn ? String(run.beat_at) : "", nowMs, isOwn)
  update(turn.progress, progress, nowMs, isOwn)
}

/** A turn that waits counts as one that changes: it is not stuck. */
function update(last: LastChange, value: string, nowMs: number, isOwn: boolean): void {
  if (isOwn && last.value === value) return
  last.value = value
  last.atMs = nowMs
}

type Run = NonNullable<Awaited<ReturnType<typeof recordedRun>>>

/** The recorded run of a project, with nulls when it has none. Undefined when the project does not exist. */
function recordedRun(db: Db, projectId: string) {
  return db
    .selectFrom("project")
    .leftJoin("indexing_run", "indexing_run.project_id", "project.id")
    .select(["started_at", "beat_at", "phase", "done"])
    .where("project.id", "=", projectId)
    .executeTakeFirst()
}

/** The command of this program that carries out an indexing request. */
export function indexingCommand(projectId: string, request: IndexingRequest): string[] {
  switch (request.kind) {
    case "read": {
      const force = request.force ? ["--force"] : []
      return ["index", projectId, ...force, "--words", "--resumable", "--wait", "--json"]
    }
    case "rebuild":
      return ["index", projectId, "--stored", "--wait", "--json"]
    case "remove_feed":
      return ["feed", "remove", projectId, request.feed, "--wait", "--json"]
  }
}
