import { afterEach, expect, test } from "bun:test"
import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { endLongWaits, notifyLongWaits } from "../../../src/webhooks/delivery/turns/long-waits.ts"
import { purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { replayProgress } from "../../../src/webhooks/messages/replay-progress.ts"
import { onSqlite } from "../../support/postgres.ts"
import type { Answer } from "../../support/receiver.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* Deliveries that wait for their turn: one after the other, or no faster than a rate. */

let webhooks: Webhooks
afterEach(() => webhooks?.[Symbol.asyncDispose]())

async function started(settings: object, ...answers: Answer[]): Promise<string> {
  webhooks = await aService().withReceivers(answers).started()
  return add(settings, 0)
}

async function add(settings: object, receiver: number): Promise<string> {
  const url = `https://${webhooks.receivers[receiver]?.name}/hook`
  const { status, body } = await webhooks.api.post("/api/v1/endpoints", { url, ...settings })
  expect([status, body.error]).toEqual([201, undefined])
  return body.id
}

const ok = () => new Response("ok")
const inOrder = { in_order: true }

/** Messages one after the other, each known by its number. */
async function respond(...numbers: number[]): Promise<void> {
  for (const n of numbers) await webhooks.respond({ n: String(n) })
}

/** The numbers of the messages in the order of their arrival, each attempt. */
const arrived = (receiver = 0) =>
  webhooks.receivers[receiver]?.received.map(({ body }) =>
    Number(JSON.parse(new TextDecoder().decode(body)).data.values.n),
  )

/** Oldest first. */
const deliveries = async (id: string) => (await webhooks.deliveries(id)).toReversed()
const change = (id: string, body: object) => webhooks.api.patch(`/api/v1/endpoints/${id}`, body)

test("in order, each message is sent once the one before has been answered", async () => {
  let inFlight = 0
  let most = 0
  const id = await started(inOrder, async () => {
    most = Math.max(most, ++inFlight)
    await Bun.sleep(0)
    inFlight--
    return new Response("ok")
  })
  await webhooks.respondMany(40)
  await webhooks.settled()
  expect(arrived()).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(most).toBe(1)
  expect(await webhooks.deliveries(id, "?state=pending")).toEqual([])
})

test("a failing first one holds the rest, visibly, and their attempts begin when it has got through", async () => {
  let isDown = true
  const id = await started(inOrder, () => new Response("", { status: isDown ? 503 : 200 }))
  await respond(1, 2, 3)
  await webhooks.settled()
  await webhooks.pass(5 * secondMs)
  expect(arrived()).toEqual([1, 1])
  const [first, second, third] = await deliveries(id)
  expect(first).toMatchObject({ attempts_made: 2, waits_for: null, held_by: null })
  for (const held of [second, third])
    expect(held).toMatchObject({
      state: "pending",
      attempts_made: 0,
      next_attempt_at: null,
      waits_for: "order",
      held_by: first.id,
    })
  isDown = false
  await webhooks.pass(5 * minuteMs)
  expect(arrived()).toEqual([1, 1, 1, 2, 3])
})

test("once the first one has been given up after 8 attempts, the next has 8 of its own", async () => {
  const id = await started(inOrder, () => new Response("", { status: 500 }))
  await respond(1, 2)
  await webhooks.settled()
  for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
  expect((await deliveries(id)).map(({ state, attempts_made }) => [state, attempts_made])).toEqual([
    ["failed", 8],
    ["pending", 1],
  ])
  for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["failed", "failed"])
})

test("cancelling or resending the first one lets the rest go", async () => {
  let status = 500
  const id = await started(inOrder, () => new Response("", { status }))
  await respond(1, 2, 3)
  await webhooks.settled()
  const [first, second] = await deliveries(id)
  const cancelled = await webhooks.api.post(`/api/v1/deliveries/${first.id}/cancellations`)
  expect([cancelled.status, cancelled.body.delivery_id]).toEqual([200, first.id])
  await webhooks.settled()
  expect(arrived()).toEqual([1, 2])
  status = 200
  await webhooks.api.post(`/api/v1/deliveries/${second.id}/attempts`)
  await webhooks.settled()
  expect(arrived()).toEqual([1, 2, 2, 3])
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["cancelled", "delivered", "delivered"])
  const over = await webhooks.api.post(`/api/v1/deliveries/${second.id}/cancellations`)
  expect([over.status, over.body.error.code]).toEqual([409, "conflict"])
})

test("a resend by hand of one that waits goes past the others, alone, and is not repeated in its turn", async () => {
  let isDown = true
  const id = await started(inOrder, () => new Response("", { status: isDown ? 500 : 200 }))
  await respond(1, 2, 3)
  await webhooks.settled()
  const [, , third] = await deliveries(id)
  isDown = false
  await webhooks.api.post(`/api/v1/deliveries/${third.id}/attempts`)
  await webhooks.settled()
  expect(arrived()).toEqual([1, 3])
  await webhooks.pass(5 * secondMs)
  expect(arrived()).toEqual([1, 3, 1, 2])
})

test("an endpoint in order that hangs holds no other", async () => {
  webhooks = await aService()
    .withReceivers([() => new Promise<Response>(() => {}), ok])
    .started()
  await add(inOrder, 0)
  await add({}, 1)
  await webhooks.respondMany(30)
  await webhooks.receivers[1]?.waitFor(30)
  expect(arrived(0)?.length).toBeLessThanOrEqual(1)
  expect(arrived(1)?.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n))
})

onSqlite("after a restart the first one is made again, and the others come after it", async () => {
  using folder = temporaryFolder()
  const settings = { GUICHET_DATA_DIR: folder.path }
  const start = (answer: Answer) => aService().withSettings(settings).withReceivers([answer]).started()
  webhooks = await start(() => new Promise<Response>(() => {}))
  await add(inOrder, 0)
  await respond(1, 2, 3)
  await webhooks.receiver.waitFor(1)
  await webhooks[Symbol.asyncDispose]()
  webhooks = await start(ok)
  await webhooks.settled()
  expect(arrived()).toEqual([1, 2, 3])
})

test("what is cancelled when an endpoint is switched off is replayed in order", async () => {
  const id = await started(inOrder, ok)
  await change(id, { active: false })
  await respond(1, 2, 3)
  await change(id, { active: true })
  await respond(4)
  await webhooks.settled()
  const since = new Date(webhooks.clock.now() - hourMs).toISOString()
  const { body } = await webhooks.api.post(`/api/v1/endpoints/${id}/replays`, { since })
  expect(body.count).toBe(3)
  await webhooks.settled()
  expect(arrived()).toEqual([4, 1, 2, 3])
})

test("switching an endpoint off, or removing it, cancels what waits", async () => {
  let status = 500
  const id = await started(inOrder, () => new Response("", { status }))
  await respond(1, 2, 3)
  await webhooks.settled()
  await change(id, { active: false })
  expect((await deliveries(id)).map(({ state, waits_for }) => [state, waits_for])).toEqual(
    Array(3).fill(["cancelled", null]),
  )
  status = 200
  await change(id, { active: true })
  await respond(4)
  await webhooks.settled()
  expect(arrived()).toEqual([1, 4])
  await change(id, { rate: { messages: 1, per: "hour" } })
  await respond(5, 6)
  await webhooks.settled()
  await webhooks.api.delete(`/api/v1/endpoints/${id}`)
  const left = await webhooks.service.app.db
    .selectFrom("delivery")
    .select("number")
    .where((row) => row.or([row("waits_since", "is not", null), row("state", "=", "pending")]))
    .execute()
  expect(left).toEqual([])
})

test("with a rate, attempts are spread over the period, whatever waits", async () => {
  const id = await started({ rate: { messages: 6, per: "minute" } }, ok)
  await respond(1, 2, 3, 4)
  await webhooks.settled()
  expect(arrived()).toEqual([1])
  expect((await deliveries(id))[1]).toMatchObject({ waits_for: "rate", held_by: null, attempts_made: 0 })
  await webhooks.pass(9 * secondMs)
  expect(arrived()).toEqual([1])
  await webhooks.pass(secondMs)
  expect(arrived()).toEqual([1, 2])
  await webhooks.pass(10 * secondMs)
  await webhooks.pass(10 * secondMs)
  expect(arrived()).toEqual([1, 2, 3, 4])
  // Quiet times are not saved up.
  await webhooks.pass(hourMs)
  await respond(5, 6)
  await webhooks.settled()
  expect(arrived()).toEqual([1, 2, 3, 4, 5])
})

test("retries and replays keep the rate, too", async () => {
  let status = 500
  const id = await started({ rate: { messages: 60, per: "hour" } }, () => new Response("", { status }))
  await respond(1, 2)
  await webhooks.settled()
  await webhooks.pass(5 * secondMs)
  // A retry that is due waits for the rate, and uses no attempt meanwhile.
  expect(arrived()).toEqual([1])
  expect((await deliveries(id)).map(({ attempts_made, waits_for }) => [attempts_made, waits_for])).toEqual([
    [1, "rate"],
    [0, "rate"],
  ])
  await webhooks.pass(minuteMs - 5 * secondMs)
  expect(arrived()).toHaveLength(2)
  await change(id, { active: false })
  status = 200
  await change(id, { active: true })
  const since = new Date(webhooks.clock.now() - hourMs).toISOString()
  const replayed = await webhooks.api.post(`/api/v1/endpoints/${id}/replays`, { since })
  expect(replayed.body.count).toBe(2)
  const { db } = webhooks.service.app
  const progress = () => replayProgress(db, id, Date.parse(replayed.body.replayed_at))
  await webhooks.settled()
  expect([arrived()?.length, await progress()]).toEqual([2, { waiting: 2, delivered: 0, failed: 0 }])
  for (const delivered of [1, 2]) {
    await webhooks.pass(minuteMs)
    expect(arrived()).toHaveLength(2 + delivered)
    expect(await progress()).toEqual({ waiting: 2 - delivered, delivered, failed: 0 })
  }
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["delivered", "delivered"])
})

test("a replay that waits for the rate can be stopped", async () => {
  const id = await started({ rate: { messages: 1, per: "hour" } }, ok)
  await change(id, { active: false })
  await respond(1, 2, 3)
  await change(id, { active: true })
  const since = new Date(webhooks.clock.now() - hourMs).toISOString()
  const replays = `/api/v1/endpoints/${id}/replay`
  const { replayed_at } = (await webhooks.api.post(`${replays}s`, { since })).body
  await webhooks.settled()
  expect((await webhooks.api.post(`${replays}-cancellations`, { replayed_at })).body.count).toBe(2)
  await webhooks.pass(dayMs)
  expect(arrived()).toEqual([1])
})

test("without these settings any more, what waits goes at once", async () => {
  const id = await started({ rate: { messages: 1, per: "hour" }, in_order: true }, ok)
  await respond(1, 2, 3)
  await webhooks.settled()
  expect(arrived()).toEqual([1])
  await change(id, { rate: null, in_order: false })
  await webhooks.settled()
  expect(arrived()?.toSorted()).toEqual([1, 2, 3])
})

test("one that waits is never purged, and a message that is erased holds nobody up", async () => {
  const id = await started({ rate: { messages: 1, per: "hour" } }, ok)
  await respond(1)
  const erased = await webhooks.respond({ n: "2" })
  await respond(3)
  await webhooks.settled()
  const { db, messageQueue } = webhooks.service.app
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["delivered", "pending", "pending"])
  // Before the clock is moved: what is due then is sent at any moment.
  await db.transaction().execute((transaction) => messageQueue.forget(transaction, [erased]))
  messageQueue.invalidateClaims()
  webhooks.clock.move(31 * dayMs)
  await purgeLog(db, webhooks.clock.now())
  await webhooks.settled()
  expect(arrived()).toEqual([1, 3])
})

test("what waited for its turn for 30 days ends as cancelled with that reason; owners are told after 1, 7 and 25", async () => {
  const id = await started({ rate: { messages: 1, per: "hour" } }, ok)
  await respond(1, 2, 3)
  await webhooks.settled()
  const { app } = webhooks.service
  const { db } = app
  const nowMs = () => webhooks.clock.now()
  /** As if they had waited for so long. */
  const waitSince = (days: number) =>
    db
      .updateTable("delivery")
      .set({ waits_since: nowMs() - days * dayMs })
      .where("endpoint_id", "=", id)
      .where("waits_since", "is not", null)
      .execute()
  const told: number[] = []
  const notify = async (_: string, waits: readonly { days: number }[]) =>
    void told.push(...waits.map(({ days }) => days))
  for (const days of [0, 1, 2, 7, 24, 25, 29]) {
    await waitSince(days)
    await notifyLongWaits(app, notify, nowMs())
    await endLongWaits(app, nowMs())
  }
  expect(told).toEqual([1, 7, 25])
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["delivered", "pending", "pending"])
  await waitSince(30)
  await endLongWaits(app, nowMs() + 20 * dayMs)
  // The message that was delivered is purged, and those that were ended stay for as long again.
  await purgeLog(db, nowMs() + 31 * dayMs)
  const log = async () =>
    (await deliveries(id)).map(({ state, cancel_reason, attempts }) => [
      state,
      cancel_reason,
      attempts.length,
    ])
  expect(await log()).toEqual([
    ["cancelled", "waited", 0],
    ["cancelled", "waited", 0],
  ])
  webhooks.clock.move(hourMs)
  await webhooks.api.post(`/api/v1/deliveries/${(await deliveries(id))[0]?.id}/attempts`)
  await webhooks.settled()
  expect(await log()).toEqual([
    ["delivered", null, 1],
    ["cancelled", "waited", 0],
  ])
  await purgeLog(db, nowMs() + 51 * dayMs)
  expect(await log()).toEqual([])
})

test("a retry that has just begun to wait hides nothing that has waited for longer", async () => {
  const id = await started({ rate: { messages: 1, per: "hour" } }, ok)
  await respond(1, 2, 3)
  await webhooks.settled()
  const { app } = webhooks.service
  const nowMs = webhooks.clock.now()
  const waiting = app.db
    .updateTable("delivery")
    .where("endpoint_id", "=", id)
    .where("waits_since", "is not", null)
  const [retry] = await waiting
    .set({ waits_since: nowMs - 30 * dayMs })
    .returning("number")
    .execute()
  const number = retry?.number as number
  const retried = { waits_since: nowMs, attempts_made: 1 }
  await app.db.updateTable("delivery").set(retried).where("number", "=", number).execute()
  const told: number[] = []
  await notifyLongWaits(app, async (_, waits) => void told.push(...waits.map(({ days }) => days)), nowMs)
  expect(told).toEqual([25])
  await endLongWaits(app, nowMs)
  expect((await deliveries(id)).map(({ state }) => state).toSorted()).toEqual([
    "cancelled",
    "delivered",
    "pending",
  ])
})

test("wrong rates are refused at their place", async () => {
  const id = await started({}, ok)
  for (const [rate, field] of [
    [{ messages: 0, per: "second" }, "rate.messages"],
    [{ messages: 1001, per: "second" }, "rate.messages"],
    [{ messages: 1.5, per: "second" }, "rate.messages"],
    [{ messages: 1, per: "day" }, "rate.per"],
    [{ messages: 1 }, "rate.per"],
    ["fast", "rate"],
  ] as const) {
    const { status, body } = await change(id, { rate })
    expect([rate, status, Object.keys(body.error?.fields ?? {})]).toEqual([rate, 400, [field]])
  }
})
