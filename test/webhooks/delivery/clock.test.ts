import { afterEach, expect, test } from "bun:test"
import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { sql } from "kysely"
import { hourMs, secondMs } from "../../../src/base/clock.ts"
import { failWrites } from "../../support/failing-writes.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

const ok = () => new Response("ok")

test("a clock that leaps forward repeats nothing that is in flight", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  for (let leap = 0; leap < 3; leap++) {
    webhooks.clock.move(hourMs)
    await webhooks.round()
  }
  resolve(ok())
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ outcome: "delivered" }] })
})

test("a clock that is set back strands nothing: no wait becomes longer than its own", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.respondUnseen()
  await webhooks.pass(-9 * hourMs)
  const [second, first] = await webhooks.deliveries(endpoint.id)
  expect(first.next_attempt_at).toBe("2026-03-10T00:00:05.100Z")
  expect(second.attempts).toHaveLength(1)
  await webhooks.pass(5.1 * secondMs)
  expect((await webhooks.deliveries(endpoint.id))[1].attempts_made).toBe(2)
})

test("however many deliveries wait, each is brought back, in steps between which others write", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const { db } = webhooks.service.app
  const { number: _, ...first } = await db.selectFrom("delivery").selectAll().executeTakeFirstOrThrow()
  const message = await db.selectFrom("message").selectAll().executeTakeFirstOrThrow()
  const aheadMs = webhooks.clock.now() + 9 * hourMs
  const many = 12_000
  const rows = Array.from({ length: many }, (_, at) => ({
    message: { ...message, id: `msg_${at}` },
    delivery: {
      ...first,
      id: `dlv_${at}`,
      message_id: `msg_${at}`,
      due_at: aheadMs,
      ...(at % 2 === 0 && { resend_at: aheadMs }),
    },
  }))
  for (let from = 0; from < many; from += 500) {
    const some = rows.slice(from, from + 500)
    await db
      .insertInto("message")
      .values(some.map((row) => row.message))
      .execute()
    await db
      .insertInto("delivery")
      .values(some.map((row) => row.delivery))
      .execute()
  }
  // Purges leave gaps between the numbers.
  await db.deleteFrom("delivery").where(sql<boolean>`number % 3 = 0`).execute()
  const left = async () => {
    const { count } = await db
      .selectFrom("delivery")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("due_at", "=", aheadMs)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const seen = new Set<number>()
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await yieldToEventLoop()) seen.add(await left())
  })()
  webhooks.clock.move(-2 * hourMs)
  await webhooks.round()
  isOver = true
  await watch
  expect(await left()).toBe(0)
  expect([...seen].filter((count) => count > 0 && count < many).length).toBeGreaterThan(1)
  const latest = await db
    .selectFrom("delivery")
    .select(({ fn }) => [fn.max("due_at").as("due"), fn.max("resend_at").as("resend")])
    .where("endpoint_id", "=", id)
    .executeTakeFirstOrThrow()
  expect(Number(latest.due)).toBeLessThan(webhooks.clock.now() + 6 * secondMs)
  expect(Number(latest.resend)).toBe(webhooks.clock.now())
})

test("what is in flight while the clock is set back is counted once, and tried again in its own time", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  webhooks.clock.move(-9 * hourMs)
  await webhooks.round()
  resolve(new Response("", { status: 500 }))
  webhooks.receiver.answer = ok
  await webhooks.settled()
  expect(await webhooks.deliveries(endpoint.id)).toMatchObject([
    { state: "pending", attempts_made: 1, next_attempt_at: "2026-03-10T00:00:05.000Z" },
  ])
  await webhooks.pass(5 * secondMs)
  expect(await webhooks.deliveries(endpoint.id)).toMatchObject([{ state: "delivered", attempts_made: 2 }])
})

test("a clock that is set back in a round that cannot be written down loses no count of what is in flight", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  // The write of the lease is the last thing that a round does.
  const mend = await failWrites(webhooks.service.app.db, "UPDATE ON lease")
  webhooks.clock.move(-9 * hourMs)
  await webhooks.round()
  await mend()
  resolve(new Response("", { status: 500 }))
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  expect(await webhooks.deliveries(id)).toMatchObject([
    { attempts_made: 1, next_attempt_at: "2026-03-10T00:00:05.000Z" },
  ])
})
