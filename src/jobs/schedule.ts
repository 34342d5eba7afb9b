import { Cron } from "croner"
import { withTimeout } from "../base/async.ts"
import { type Clock, secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { claimRun, endRun, lastRun, markDone, markRun, takeOverRuns, unmarkRun } from "../db/job-run.ts"
import type { Node } from "./node.ts"

/** Work that the service repeats while it runs. */
export interface Job {
  /** Key under which the database keeps the time of the last run. */
  name: string
  /** A cron pattern in the owner's time zone: `17 3 * * *`. */
  pattern: string
  /** For what a node does on its own machine: it runs at every start and at each time, whatever other nodes do. */
  onEveryNode?: boolean
  /** Keeps the time of its last success for the metrics: a purge that fails is not seen otherwise. */
  keepsSuccess?: boolean
  /** Rejects with an AbortError when a stop interrupted it; it then runs again at the next start. */
  run(): Promise<void>
}

export type Schedule = Awaited<ReturnType<typeof startSchedule>>

interface ScheduleDeps {
  db: Db
  clock: Clock
  log: Log
  timezone: string
  /** This process among the nodes; undefined where it is the only one. */
  node?: Pick<Node, "id">
}

/** Clocks of nodes differ by less: a time that comes within it is the one that a cron woke up for. */
const clockSkewMs = 30 * secondMs
/** A stop waits no longer for running jobs: one of them may wait for a mail server that hangs. */
const stopWithinMs = 3 * secondMs

/**
 * Starts the jobs. A job that missed a time while the service was stopped runs at once, and so does one that has
 * never run. Only one of several nodes runs a job at each of its times. Runs of one job never overlap. A failed run
 * is logged, and the job runs again at its next time.
 */
export async function startSchedule(deps: ScheduleDeps, jobs: readonly Job[]) {
  const { db, clock, log, timezone, node } = deps
  const running = new Map<string, Promise<void>>()
  const crons = new Map<Job, Cron>()

  /** `claim` decides whether this process runs the job; a run in progress is joined. */
  function start(job: Job, claim: () => Promise<boolean>): Promise<void> {
    let run = running.get(job.name)
    if (!run) {
      run = attempt(job, claim).finally(() => running.delete(job.name))
      running.set(job.name, run)
    }
    return run
  }

  async function attempt(job: Job, claim: () => Promise<boolean>): Promise<void> {
    try {
      const before = await lastRun(db, job.name)
      if (!(await claim())) return
      const startedMs = performance.now()
      try {
        await job.run()
        if (job.keepsSuccess) await markDone(db, job.name, clock.now())
        log.debug("job done", { job: job.name, ms: Math.round(performance.now() - startedMs) })
      } catch (error) {
        if (!isAbort(error)) throw error
        await unmarkRun(db, job.name, before)
      } finally {
        if (node?.id) await endRun(db, job.name, node.id)
      }
    } catch (error) {
      log.error("job failed", { job: job.name, error })
    }
  }

  function claimSlot(job: Job, slotMs: number): Promise<boolean> {
    if (job.onEveryNode) return Promise.resolve(true)
    return claimRun(db, { name: job.name, slotMs, nowMs: clock.now(), nodeId: node?.id })
  }

  async function markNow({ name }: Job): Promise<true> {
    await markRun(db, name, clock.now())
    return true
  }

  function jobNamed(name: string): Job | undefined {
    return jobs.find((job) => job.name === name)
  }

  // Read before any timer is set: a start that fails leaves nothing behind that goes on.
  const lastRuns = new Map<Job, number | undefined>()
  for (const job of jobs) lastRuns.set(job, await lastRun(db, job.name))
  for (const job of jobs) {
    const options = { timezone, protect: true, catch: true, unref: true }
    const cron: Cron = new Cron(job.pattern, options, () =>
      start(job, () => claimSlot(job, nearestTime(cron, clock.now()))),
    )
    crons.set(job, cron)
    const missedMs = lastTime(cron, clock.now())
    const last = lastRuns.get(job)
    if (job.onEveryNode || last === undefined || last < missedMs)
      void start(job, () => claimSlot(job, missedMs))
  }

  return {
    /** Runs a job now, or joins the run in progress. Never rejects: a failure is logged. */
    async run(name: string): Promise<void> {
      const job = jobNamed(name)
      if (!job) throw new Error(`no job is named ${name}`)
      await start(job, () => markNow(job))
    },
    /** Runs again what a node died in the middle of. */
    async takeOver() {
      if (!node?.id) return
      const names = jobs.map(({ name }) => name)
      for (const name of await takeOverRuns(db, names, { nowMs: clock.now(), nodeId: node.id }))
        void start(jobNamed(name) as Job, async () => true)
    },
    async [Symbol.asyncDispose]() {
      for (const cron of crons.values()) cron.stop()
      const late = () => new Error("jobs still run")
      await withTimeout(Promise.all(running.values()), stopWithinMs, late).catch(() => {})
    },
  }
}

function isAbort(error: unknown): boolean {
  return (error as { name?: string } | null)?.name === "AbortError"
}

/** The last time of the pattern, which may be this moment; 0 before the first. */
function lastTime(cron: Cron, nowMs: number): number {
  return cron.previousRuns(1, new Date(nowMs + 1))[0]?.getTime() ?? 0
}

/** The time that a cron woke up for by this machine's clock, told by the clock that all nodes share. */
function nearestTime(cron: Cron, nowMs: number): number {
  const lastMs = lastTime(cron, nowMs)
  const nextMs = cron.nextRun(new Date(nowMs))?.getTime() ?? Number.POSITIVE_INFINITY
  return nextMs - nowMs <= Math.min(clockSkewMs, nowMs - lastMs) ? nextMs : lastMs
}

/**
 * Calls `run` at every full second until disposed of. Work that compares due times in the database with the
 * clock at each call needs no timers, which would be wrong after the clock leaps or another process writes.
 */
export function everySecond(run: () => void): Disposable {
  const job = new Cron("* * * * * *", { protect: true, catch: true }, run)
  return { [Symbol.dispose]: () => job.stop() }
}
