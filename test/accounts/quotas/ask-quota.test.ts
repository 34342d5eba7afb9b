import { expect, test } from "bun:test"
import { countAsks, giveBack, purgeAsks, reserveAsk } from "../../../src/accounts/quotas/ask-quota.ts"
import { dayMs } from "../../../src/base/clock.ts"
import type { Db } from "../../../src/db/connection.ts"
import { purgeLimits } from "../../../src/limits/uses.ts"
import { aService } from "../../support/service-builder.ts"

const limits = { perMinute: 2, perVisitorDay: 10, perProjectDay: 10, perOrganisationMonth: 10 }
const timezone = "Europe/Paris"
// Days that the service has not come to: its own purge, at a time of the clock, leaves them alone.
const startMs = Date.parse("2099-03-10T09:00:00Z")

async function startLimits() {
  const site = await aService().withIndexedProject().started()
  const { db } = site.service.app
  return {
    db,
    reserve: (atMs: number, more: Partial<typeof limits> = {}) =>
      reserveAsk(
        db,
        { project: site.project, visitor: "v" },
        { ...limits, ...more },
        { timezone, nowMs: atMs },
      ),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}

const counted = (db: Db) => db.selectFrom("limit_count").selectAll().orderBy("subject").execute()
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  )

test("a reserved place is taken for everyone until it is given back", async () => {
  await using tried = await startLimits()
  const daily = { perMinute: 100, perVisitorDay: 1 }
  const place = await tried.reserve(startMs, daily)
  expect(await refusal(tried.reserve(startMs, daily))).toMatchObject({ code: "rate_limited" })
  await giveBack(tried.db, place)
  await tried.reserve(startMs, daily)
  expect(await counted(tried.db)).toEqual([])
})

test("a place that a crash left reserved is free again after a minute, and was never counted", async () => {
  await using tried = await startLimits()
  const daily = { perMinute: 1, perVisitorDay: 1, perProjectDay: 1, perOrganisationMonth: 1 }
  await tried.reserve(startMs, daily)
  expect(await refusal(tried.reserve(startMs + 59_999, daily))).toMatchObject({ retryAfterSeconds: 1 })
  await tried.reserve(startMs + 60_000, daily)
  expect(await counted(tried.db)).toEqual([])
})

test("a clock that was set back does not make the minute last", async () => {
  await using tried = await startLimits()
  const single = { perMinute: 1, perVisitorDay: 9 }
  await tried.reserve(startMs + 2 * 3_600_000, single)
  await tried.reserve(startMs, single)
  expect(await refusal(tried.reserve(startMs, single))).toMatchObject({ retryAfterSeconds: 60 })
})

test("a place is counted in the transaction of the answer: with it, or not at all", async () => {
  await using tried = await startLimits()
  const place = await tried.reserve(startMs)
  const failed = tried.db.transaction().execute(async (transaction) => {
    await countAsks(transaction, [place])
    throw new Error("the answer cannot be stored")
  })
  expect(await refusal(failed)).toBeDefined()
  expect(await counted(tried.db)).toEqual([])
  await tried.db.transaction().execute((transaction) => countAsks(transaction, [place]))
  expect((await counted(tried.db)).map(({ period, used }) => [period, used])).toEqual([
    ["2099-03", 1],
    ["2099-03-10", 1],
    ["2099-03-10", 1],
    ["2099-03", 1],
  ])
})

test("a question reserved before midnight counts for that day, however late its answer", async () => {
  await using tried = await startLimits()
  const place = await tried.reserve(Date.parse("2099-03-31T21:59:59Z"))
  await tried.db.transaction().execute((transaction) => countAsks(transaction, [place]))
  expect((await counted(tried.db)).map(({ period }) => period)).toEqual([
    "2099-03",
    "2099-03-31",
    "2099-03-31",
    "2099-03",
  ])
})

test("past days and months are forgotten, the current ones are not", async () => {
  await using tried = await startLimits()
  for (const atMs of [startMs - 30 * dayMs, startMs - dayMs, startMs]) {
    const place = await tried.reserve(atMs)
    await tried.db.transaction().execute((transaction) => countAsks(transaction, [place]))
  }
  expect(await counted(tried.db)).toHaveLength(10)
  await purgeLimits(tried.db, { timezone, nowMs: startMs })
  expect((await counted(tried.db)).map(({ period, used }) => [period, used])).toEqual([
    ["2099-03", 2],
    ["2099-03-10", 1],
    ["2099-03-10", 1],
    ["2099-03", 2],
  ])
  await purgeAsks(tried.db, startMs + 60_000)
  expect(await tried.db.selectFrom("recent_ask").selectAll().execute()).toEqual([])
})
