import { afterEach, expect, test } from "bun:test"
import { secondMs } from "../../../src/base/clock.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { startDispatcher } from "../../../src/webhooks/delivery/dispatcher.ts"
import { leaseMs } from "../../../src/webhooks/delivery/lease.ts"
import { eventually } from "../../support/processes.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

const ok = () => new Response("ok")
const hang = () => new Promise<Response>(() => {})
const ten = { total: 10, shared: 10, perKey: 10, lowPriority: 10, of: () => 10 }

/** Time passes as a service lets it pass: with a round at each second. */
async function passBySeconds(ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= secondMs) await webhooks.pass(Math.min(leftMs, secondMs))
}

/** Claims what is due as another process would, and then dies. */
async function claimAndDie() {
  const { claims } = await openQueue(webhooks.service.app).round({
    nowMs: webhooks.clock.now(),
    results: [],
    held: () => [],
    capacity: () => ten,
    invalidated: false,
  })
  return claims
}

test("what a crash interrupts is tried again once its lease is over, logged, and none of the 8 is used up", async () => {
  webhooks = await aService().withReceivers().started()
  const endpoint = await webhooks.endpoint()
  // The new endpoint woke the dispatcher: its round would claim the message first.
  await webhooks.settled()
  await webhooks.respondUnseen()
  expect(await claimAndDie()).toHaveLength(1)
  await passBySeconds(leaseMs - 1)
  expect(webhooks.receiver.received).toHaveLength(0)
  await webhooks.pass(1)
  expect(leaseMs).toBeLessThan(15 * secondMs)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({
    state: "delivered",
    attempts_made: 1,
    attempts: [
      { number: 1, outcome: "interrupted", at: "2026-03-10T09:00:00.000Z", status: null },
      { number: 2, outcome: "delivered" },
    ],
  })
})

test("a resend that a crash interrupts is made again too, and logged as interrupted", async () => {
  webhooks = await aService().withReceivers().started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [{ id }] = await webhooks.deliveries(endpoint.id)
  const { db } = webhooks.service.app
  await db.updateTable("delivery").set({ resend_at: webhooks.clock.now() }).where("id", "=", id).execute()
  expect(await claimAndDie()).toMatchObject([{ kind: "manual" }])
  await passBySeconds(leaseMs)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery.attempts.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)).toEqual([
    "automatic delivered",
    "manual interrupted",
    "manual delivered",
  ])
})

test("what was claimed by one process is not claimed by another", async () => {
  webhooks = await aService().withReceivers().started()
  await webhooks.endpoint()
  // The new endpoint woke the dispatcher: its round would claim the message first.
  await webhooks.settled()
  await webhooks.respondUnseen()
  expect(await claimAndDie()).toHaveLength(1)
  expect(await claimAndDie()).toHaveLength(0)
})

test("while a dead process holds what is due for hundreds of endpoints, the others are served", async () => {
  webhooks = await aService().withReceivers().started()
  const { db } = webhooks.service.app
  await webhooks.stopWork()
  await webhooks.otherWorkspaces(420, webhooks.receiver, 1)
  await db.updateTable("delivery").set({ due_is_late: 1, attempts_made: 1 }).execute()
  const due = await db.selectFrom("delivery").select("number").orderBy("endpoint_id").limit(400).execute()
  const held = JSON.stringify({ automatic: due.map(({ number }) => number), manual: [] })
  const until = webhooks.clock.now() + leaseMs
  await db.insertInto("lease").values({ holder: "dead", until, held }).execute()
  await using work = webhooks.service.app.work()
  await work.dispatcher.settled()
  expect(webhooks.receiver.received).toHaveLength(20)
})

test("two processes that share a backlog send each message once, and all of them", async () => {
  webhooks = await aService().withReceivers().started()
  await webhooks.stopWork()
  await webhooks.otherWorkspaces(3, webhooks.receiver, 120)
  await webhooks.otherWorkspaces(20, webhooks.receiver, 3)
  await using one = webhooks.service.app.work()
  await using other = webhooks.service.app.work()
  await Promise.all([one.dispatcher.settled(), other.dispatcher.settled()])
  const ids = webhooks.receiver.received.map(({ headers }) => headers.get("webhook-id"))
  expect(ids).toHaveLength(420)
  expect(new Set(ids).size).toBe(420)
})

test("a stop that cannot wait for an answer leaves the delivery due at the next start", async () => {
  webhooks = await aService().withReceivers([hang]).started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  await webhooks.stopWork()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({
    state: "pending",
    attempts_made: 0,
    next_attempt_at: "2026-03-10T09:00:00.000Z",
    attempts: [{ outcome: "interrupted" }],
  })
  webhooks.receiver.answer = ok
  await using next = webhooks.service.app.work()
  await next.dispatcher.settled()
  const [after] = await webhooks.deliveries(endpoint.id)
  expect(after).toMatchObject({ state: "delivered", attempts_made: 1 })
})

test("a stop that cannot wait for an answer breaks the request off: another node makes it again at once", async () => {
  webhooks = await aService().withReceivers([hang]).started()
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  expect(webhooks.receiver.brokenOff).toBe(0)
  await webhooks.stopWork()
  await eventually(() => webhooks.receiver.brokenOff === 1, 2000)
})

test("what a process claimed before it was frozen is claimed again before it is sent", async () => {
  webhooks = await aService().withReceivers().started()
  await webhooks.endpoint()
  await webhooks.respondUnseen()
  await webhooks.stopWork()
  const { app, clock } = webhooks
  const queue = openQueue(app)
  let rounds = 0
  const sentAfter: number[] = []
  await using dispatcher = startDispatcher({
    ...app,
    ...app.outbound,
    onAttempt: () => void sentAfter.push(rounds),
    queue: {
      ...queue,
      async round(round) {
        const result = await queue.round(round)
        // The answer to the first round is read late: by then the lease may be over.
        if (rounds++ === 0) clock.move(4 * secondMs)
        return result
      },
    },
  })
  await dispatcher.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  expect(sentAfter).toEqual([2])
})

test("a resend that a stop interrupts is made at the next start", async () => {
  webhooks = await aService().withReceivers([ok]).started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  webhooks.receiver.answer = hang
  const [{ id }] = await webhooks.deliveries(endpoint.id)
  await webhooks.api.post(`/api/v1/deliveries/${id}/attempts`)
  await webhooks.receiver.waitFor(2)
  await webhooks.stopWork()
  webhooks.receiver.answer = ok
  await using next = webhooks.service.app.work()
  await next.dispatcher.settled()
  const [after] = await webhooks.deliveries(endpoint.id)
  expect(after).toMatchObject({
    state: "delivered",
    attempts_made: 1,
    attempts: [
      { kind: "automatic", outcome: "delivered" },
      { kind: "manual", outcome: "interrupted" },
      { kind: "manual", outcome: "delivered" },
    ],
  })
})
