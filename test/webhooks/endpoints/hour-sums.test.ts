import { afterEach, expect, test } from "bun:test"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import {
  hoursKeptMs,
  lastDeliveries,
  sumsByDay,
  sumsSince,
} from "../../../src/webhooks/endpoints/hour-sums.ts"
import { purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
let code = 200
afterEach(() => webhooks[Symbol.asyncDispose]())

async function start(endpoints = 1): Promise<string[]> {
  code = 200
  const answer = () => new Response("", { status: code })
  webhooks = await aService()
    .withReceivers(Array.from({ length: endpoints }, () => answer))
    .started()
  const ids: string[] = []
  for (const receiver of webhooks.receivers) ids.push((await webhooks.endpoint(receiver)).id)
  return ids
}

function sums(ids: string[], sinceMs = 0) {
  return sumsSince(webhooks.service.app.db, ids, sinceMs)
}

test("what is delivered is counted in the hour, whatever the number of deliveries", async () => {
  const ids = await start(2)
  await webhooks.respondMany(120)
  await webhooks.settled()
  const each = { delivered: 120, failedAttempts: 0, givenUp: 0 }
  expect(await sums(ids)).toEqual(new Map(ids.map((id) => [id, each])))
  const rows = await webhooks.service.app.db.selectFrom("endpoint_hour").selectAll().execute()
  const hourAtMs = Math.floor(webhooks.clock.now() / hourMs) * hourMs
  expect(rows.map(({ hour_at }) => hour_at)).toEqual([hourAtMs, hourAtMs])
  expect(await lastDeliveries(webhooks.service.app.db, ids)).toEqual(
    new Map(ids.map((id) => [id, webhooks.clock.now()])),
  )
})

test("attempts that fail are counted each in its hour, and a delivery that is given up once", async () => {
  const [id] = (await start()) as [string]
  code = 500
  await webhooks.respond()
  await webhooks.settled()
  expect((await sums([id])).get(id)).toEqual({ delivered: 0, failedAttempts: 1, givenUp: 0 })
  for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
  expect((await sums([id])).get(id)).toEqual({ delivered: 0, failedAttempts: 8, givenUp: 1 })
  expect((await sums([id], webhooks.clock.now())).get(id)).toEqual({
    delivered: 0,
    failedAttempts: 1,
    givenUp: 1,
  })
})

test("a delivery counts as delivered once, however often it is sent again", async () => {
  const [id] = (await start()) as [string]
  code = 500
  await webhooks.respond()
  await webhooks.settled()
  code = 200
  const [delivery] = await webhooks.deliveries(id)
  for (let time = 0; time < 3; time++) {
    await webhooks.api.post(`/api/v1/deliveries/${delivery.id}/attempts`)
    await webhooks.settled()
  }
  expect(webhooks.receiver.received).toHaveLength(4)
  expect((await sums([id])).get(id)).toEqual({ delivered: 1, failedAttempts: 1, givenUp: 0 })
})

test("hours are added up by the owner's days", async () => {
  const [id] = (await start()) as [string]
  const firstMs = webhooks.clock.now()
  await webhooks.respond()
  await webhooks.settled()
  webhooks.clock.move(dayMs)
  await webhooks.respondMany(2)
  await webhooks.settled()
  const starts = [firstMs - dayMs - hourMs, firstMs - hourMs, firstMs + dayMs - hourMs]
  const days = await sumsByDay(webhooks.service.app.db, [id, "ep_none"], starts)
  expect(days.get(id)?.map(({ delivered }) => delivered)).toEqual([0, 1, 2])
  expect(days.get("ep_none")?.map(({ delivered }) => delivered)).toEqual([0, 0, 0])
})

test("the hours of a deleted endpoint go with it, and old ones with the log, but for the last delivery", async () => {
  const ids = await start(2)
  const [gone, kept] = ids as [string, string]
  code = 500
  await webhooks.respond()
  await webhooks.settled()
  code = 200
  await webhooks.pass(hourMs)
  const deliveredAtMs = webhooks.clock.now()
  await webhooks.pass(hourMs)
  code = 500
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.api.delete(`/api/v1/endpoints/${gone}`)
  const { db } = webhooks.service.app
  const left = () =>
    db
      .selectFrom("endpoint_hour")
      .select(["endpoint_id as id", "delivered", "failed_attempts as failed"])
      .orderBy("hour_at")
      .execute()
  const hours = [
    { id: kept, delivered: 0, failed: 1 },
    { id: kept, delivered: 1, failed: 0 },
    { id: kept, delivered: 0, failed: 1 },
  ]
  expect(await left()).toEqual(hours)
  await purgeLog(db, webhooks.clock.now() - 2 * hourMs + hoursKeptMs - 1)
  expect(await left()).toEqual(hours)
  await purgeLog(db, webhooks.clock.now() + hoursKeptMs + hourMs)
  expect(await left()).toEqual(hours.slice(1, 2))
  expect(await lastDeliveries(db, [kept])).toEqual(new Map([[kept, deliveredAtMs]]))
})
