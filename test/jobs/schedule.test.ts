import { afterEach, beforeEach, expect, test } from "bun:test"
import { sql } from "kysely"
import { type Clock, dayMs, hourMs, minuteMs, systemClock } from "../../src/base/clock.ts"
import { startLog } from "../../src/base/log.ts"
import type { Connection } from "../../src/db/connection.ts"
import { lastRun, markRun } from "../../src/db/job-run.ts"
import { openConnection } from "../../src/db/sqlite/connection.ts"
import { migrate } from "../../src/db/sqlite/migrate.ts"
import { type Job, startSchedule } from "../../src/jobs/schedule.ts"
import { type MovableClock, movableClock } from "../support/clock.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

let folder: TemporaryFolder
let connection: Connection
let clock: MovableClock

beforeEach(() => {
  folder = temporaryFolder()
  migrate(folder.path)
  connection = openConnection(folder.path)
  clock = movableClock(Date.parse("2026-03-10T09:00:00Z"))
})

afterEach(async () => {
  await connection[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

function nightly(run: () => void | Promise<void>): Job {
  return { name: "nightly", pattern: "17 3 * * *", run: async () => run() }
}

function start(...jobs: Job[]) {
  return startAt(clock, ...jobs)
}

function startAt(clock: Clock, ...jobs: Job[]) {
  return startSchedule({ db: connection.db, clock, log: startLog("fatal"), timezone: "Europe/Paris" }, jobs)
}

test("a run that was missed while the service was stopped is caught up at start, once", async () => {
  await markRun(connection.db, "nightly", clock.now() - dayMs)
  let runs = 0
  await (await start(nightly(() => void runs++)))[Symbol.asyncDispose]()
  expect(runs).toBe(1)
  expect(await lastRun(connection.db, "nightly")).toBe(clock.now())
  await (await start(nightly(() => void runs++)))[Symbol.asyncDispose]()
  expect(runs).toBe(1)
})

test("the time of a pattern is one of the owner's time zone", async () => {
  // 03:17 in Paris is 02:17 in UTC.
  await markRun(connection.db, "nightly", Date.parse("2026-03-10T02:17:00Z"))
  let runs = 0
  clock.move(17 * hourMs)
  await (await start(nightly(() => void runs++)))[Symbol.asyncDispose]()
  expect(runs).toBe(0)
  clock.move(17 * minuteMs)
  await (await start(nightly(() => void runs++)))[Symbol.asyncDispose]()
  expect(runs).toBe(1)
})

test("a job that never ran runs at start", async () => {
  let runs = 0
  await (await start(nightly(() => void runs++)))[Symbol.asyncDispose]()
  expect(runs).toBe(1)
})

test("a run that a stop cuts off comes again at the next start", async () => {
  await markRun(connection.db, "nightly", clock.now() - dayMs)
  for (const _start of ["first", "second"]) {
    const begun = Promise.withResolvers<void>()
    const cutOff = Promise.withResolvers<void>()
    const schedule = await start(
      nightly(() => {
        begun.resolve()
        return cutOff.promise
      }),
    )
    await begun.promise
    cutOff.reject(AbortSignal.abort().reason)
    await schedule[Symbol.asyncDispose]()
  }
})

test("a job that fails stops nothing", async () => {
  let runs = 0
  await using schedule = await start(
    nightly(() => {
      throw new Error("no")
    }),
    { name: "other", pattern: "0 0 1 1 *", run: async () => void runs++ },
  )
  await schedule.run("nightly")
  await schedule.run("other")
  expect(runs).toBeGreaterThan(0)
})

test("runs of one job never overlap", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let runs = 0
  await using schedule = await start(
    nightly(() => {
      runs++
      return held
    }),
  )
  const second = schedule.run("nightly")
  release()
  await second
  expect(runs).toBe(1)
})

test("a job runs by itself when its time comes", async () => {
  await markRun(connection.db, "second", systemClock.now())
  const { promise: ran, resolve } = Promise.withResolvers<void>()
  await using _schedule = await startAt(systemClock, {
    name: "second",
    pattern: "* * * * * *",
    run: async () => resolve(),
  })
  await ran
})

test("a run never rejects, also when the database cannot be read or written", async () => {
  await markRun(connection.db, "nightly", clock.now())
  await using schedule = await start(
    nightly(async () => {
      await connection.db.transaction().execute((transaction) => sql`DROP TABLE job`.execute(transaction))
      throw new DOMException("stopped", "AbortError")
    }),
  )
  await expect(schedule.run("nightly")).resolves.toBeUndefined()
  await expect(schedule.run("nightly")).resolves.toBeUndefined()
})
