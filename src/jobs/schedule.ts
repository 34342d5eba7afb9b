import { Cron } from "croner"
import { withTimeout } from "../base/async.ts"
import { type Clock, secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { lastRun, markRun, unmarkRun } from "../db/job-run.ts"

/** Work that the service repeats while it runs. */
export interface Job {
  /** Key under which the database keeps the time of the last run. */
  name: string
  /** A cron pattern in the owner's time zone: `17 3 * * *`. */
  pattern: string
  /** Rejects with an AbortError when a stop interrupted it; it then runs again at the next start. */
  run(): Promise<void>
}

export interface Schedule extends AsyncDisposable {
  /** Runs a job now, or joins the run in progress. Never rejects: a failure is logged. */
  run(name: string): Promise<void>
}

interface ScheduleDeps {
  db: Db
  clock: Clock
  log: Log
  timezone: string
}

/** A stop waits no longer for running jobs: one of them may wait for a mail server that hangs. */
const stopWithinMs = 3 * secondMs

/**
 * Starts the jobs. A job that missed a time while the service was stopped runs at once, and so does one that
 * has never run. Runs of one job never overlap. A failed run is logged, and the job runs again at its next
 * time.
 */
export async function startSchedule(deps: ScheduleDeps, jobs: readonly Job[]): Promise<Schedule> {
  const { db, clock, log, timezone } = deps
  const running = new Map<string, Promise<void>>()
  const crons = new Map<Job, Cron>()

  function start(job: Job): Promise<void> {
    let run = running.get(job.name)
    if (!run) {
      run = attempt(job).finally(() => running.delete(job.name))
      running.set(job.name, run)
    }
    return run
  }

  async function attempt(job: Job): Promise<void> {
    try {
      const before = await lastRun(db, job.name)
      await markRun(db, job.name, clock.now())
      try {
        await job.run()
      } catch (error) {
        if (!isAbort(error)) throw error
        await unmarkRun(db, job.name, before)
      }
    } catch (error) {
      log.error("job failed", { job: job.name, error })
    }
  }

  for (const job of jobs) {
    const options = { timezone, protect: true, catch: true, unref: true }
    const cron = new Cron(job.pattern, options, () => start(job))
    crons.set(job, cron)
    if (hasMissed(cron, await lastRun(db, job.name), clock.now())) start(job)
  }

  return {
    async run(name) {
      const job = jobs.find((job) => job.name === name)
      if (!job) throw new Error(`no job is named ${name}`)
      await start(job)
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

/** Whether a time of the pattern lies between the last run and now. */
function hasMissed(cron: Cron, lastRunAt: number | undefined, nowMs: number): boolean {
  if (lastRunAt === undefined) return true
  const next = cron.nextRun(new Date(lastRunAt))
  return next !== null && next.getTime() <= nowMs
}

/**
 * Calls `run` at every full second until disposed of. Work that compares due times in the database with the
 * clock at each call needs no timers, which would be wrong after the clock leaps or another process writes.
 */
export function everySecond(run: () => void): Disposable {
  const job = new Cron("* * * * * *", { protect: true, catch: true }, run)
  return { [Symbol.dispose]: () => job.stop() }
}
