import { Cron } from "croner"
import { withTimeout } from "../base/async.ts"
import { type Clock, secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import { lastRun, markRun, unmarkRun } from "../db/job-run.ts"
import type { Db } from "../db/sqlite/connection.ts"

/** Something that is to be done again and again while the service runs. */
export interface Job {
  /** Under which its last run is remembered. */
  name: string
  /** When, as a cron pattern in the owner's time zone: `17 3 * * *`. */
  pattern: string
  /** Rejects with an AbortError when a stop cut it off: then it runs again at the next start. */
  run(): Promise<void>
}

export interface Schedule extends AsyncDisposable {
  /** Runs a job now; if it is running already, resolves with that run. Never rejects: a failure is logged. */
  run(name: string): Promise<void>
}

interface Tools {
  db: Db
  clock: Clock
  log: Log
  timezone: string
}

/** A mail server that hangs must not hold up a stop: a run that takes longer is left behind. */
const stopWithinMs = 3 * secondMs

/**
 * Starts the jobs. A run that fell into a time when the service was stopped is caught up at once, as is the
 * first run of all. Runs of one job never overlap, and one that fails is logged and comes again at its next
 * time.
 */
export async function startSchedule(tools: Tools, jobs: readonly Job[]): Promise<Schedule> {
  const { db, clock, log, timezone } = tools
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
    if (missed(cron, await lastRun(db, job.name), clock.now())) start(job)
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
function missed(cron: Cron, lastRunAt: number | undefined, nowMs: number): boolean {
  if (lastRunAt === undefined) return true
  const next = cron.nextRun(new Date(lastRunAt))
  return next !== null && next.getTime() <= nowMs
}

/**
 * Calls `run` at every full second until disposed of. Due times stand in the database and are compared with
 * the clock at each beat: no timer has to be kept for them, and none is left standing when the clock leaps or
 * another process writes.
 */
export function everySecond(run: () => void): Disposable {
  const job = new Cron("* * * * * *", { protect: true, catch: true }, run)
  return { [Symbol.dispose]: () => job.stop() }
}
