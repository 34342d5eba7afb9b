import { Database } from "bun:sqlite"
import { afterEach, expect, spyOn, test } from "bun:test"
import { sql } from "kysely"
import { hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { openLimiter } from "../../../src/webhooks/delivery/limiter.ts"
import type { Claim } from "../../../src/webhooks/delivery/queue.ts"
import { lock } from "../../support/lock.ts"
import { onSqlite } from "../../support/postgres.ts"
import { eventually } from "../../support/processes.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

// Thousands of deliveries take PostgreSQL longer than the usual five seconds on a busy machine.

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

const ok = () => new Response("ok")
const hang = () => new Promise<Response>(() => {})

/** Lets a round begin, which cannot end while the database is locked. */
async function beginRound(): Promise<void> {
  void webhooks.round()
  for (let round = 0; round < 10; round++) await new Promise(setImmediate)
}

/**
 * An endpoint that answered once, so that more of its attempts are claimed than may start, and that now
 * answers when it is told to. `answer` answers what it has received.
 */
async function startHolding() {
  webhooks = await aService().withReceivers([ok]).started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const answers: (() => void)[] = []
  webhooks.receiver.answer = () => new Promise((resolve) => answers.push(() => resolve(ok())))
  const answer = () => {
    for (const one of answers.splice(0)) one()
  }
  return { id, answer }
}

test("an endpoint that hangs with 5,000 due holds nobody up, and has only a few in flight", async () => {
  webhooks = await aService().withReceivers([hang, ok]).started()
  const [hanging, healthy] = webhooks.receivers
  const first = await webhooks.endpoint(hanging)
  await webhooks.respondMany(5000)
  await hanging?.waitFor(5)
  const second = await webhooks.endpoint(healthy)
  await webhooks.respondMany(20)
  await healthy?.waitFor(20)
  while ((await webhooks.deliveries(second.id, "?state=delivered")).length < 20) await webhooks.round()
  expect(hanging?.received).toHaveLength(5)
  expect(await webhooks.deliveries(first.id, "?state=delivered")).toHaveLength(0)
})

test("a hundred endpoints that hang, in all workspaces, hold nobody up either", async () => {
  webhooks = await aService().withReceivers([hang, ok]).started()
  const [hanging, healthy] = webhooks.receivers
  await webhooks.otherWorkspaces(100, hanging, 10)
  await hanging?.waitFor(100)
  await webhooks.endpoint(healthy)
  await webhooks.respondMany(20)
  await healthy?.waitFor(20)
  expect(hanging?.received.length).toBeLessThanOrEqual(64 + 100)
})

test("who answered finds places at once, however many others hang", async () => {
  webhooks = await aService().withReceivers([hang, ok]).started()
  const [hanging, healthy] = webhooks.receivers
  await webhooks.endpoint(healthy)
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.otherWorkspaces(300, hanging, 2)
  await hanging?.waitFor(160)
  await webhooks.respondMany(20)
  await healthy?.waitFor(21)
  expect(hanging?.received).toHaveLength(160)
})

test("an endpoint that answered has more claimed than its five in flight; once it hangs, what waits is given back", async () => {
  webhooks = await aService().withReceivers([ok]).started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  webhooks.receiver.answer = hang
  await webhooks.respondMany(49)
  await webhooks.receiver.waitFor(6)
  const { db } = webhooks.service.app
  const claimed = async () =>
    JSON.parse((await db.selectFrom("lease").select("held").executeTakeFirstOrThrow()).held).automatic.length
  expect(await claimed()).toBe(48)
  webhooks.clock.move(secondMs)
  await webhooks.round()
  expect(await claimed()).toBe(5)
  expect(webhooks.receiver.received).toHaveLength(6)
  const logged = await webhooks.deliveries(endpoint.id)
  expect(logged.flatMap(({ attempts }) => attempts)).toHaveLength(1)
})

onSqlite(
  "an attempt that waited while the database was locked outlasts its lease, and is not made twice all the same",
  async () => {
    const { id, answer } = await startHolding()
    await webhooks.respondMany(10)
    await webhooks.receiver.waitFor(6)
    webhooks.clock.move(900)
    {
      using other = new Database(databasePath(webhooks.service.app.config.dataDir), { strict: true })
      await lock(other)
      await beginRound()
      webhooks.clock.move(5600)
      answer()
      await Bun.sleep(100)
      other.run("ROLLBACK")
    }
    while ((await webhooks.deliveries(id, "?state=delivered")).length < 6) await webhooks.round()
    await webhooks.receiver.waitFor(11)
    webhooks.clock.move(6500)
    for (let rounds = 0; rounds < 5; rounds++) await webhooks.round()
    webhooks.receiver.answer = ok
    answer()
    await webhooks.settled()
    const ids = webhooks.receiver.received.map(({ headers }) => headers.get("webhook-id"))
    expect(ids).toHaveLength(11)
    expect(new Set(ids).size).toBe(11)
  },
)

test("responses that come in without a pause keep none from leaving", async () => {
  webhooks = await aService().withReceivers([ok]).started()
  await webhooks.endpoint()
  let left = 3000
  const post = async () => {
    while (left-- > 0 && webhooks.receiver.received.length < 20) await webhooks.respond()
  }
  await Promise.all(Array.from({ length: 16 }, post))
  expect(webhooks.receiver.received.length).toBeGreaterThanOrEqual(20)
})

test("first attempts go before retries, whatever has been due longer", async () => {
  let code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  await webhooks.endpoint()
  await webhooks.respondMany(30)
  await webhooks.settled()
  code = 200
  webhooks.clock.move(minuteMs)
  const fresh = await webhooks.respond({ n: "fresh" })
  await webhooks.settled()
  const { received } = webhooks.receiver
  const texts = received.slice(30).map(({ body }) => new TextDecoder().decode(body))
  expect(texts).toHaveLength(31)
  expect(texts.slice(0, 5).some((text) => text.includes(fresh))).toBe(true)
})

test("a delivery that is gone while its attempt is in flight is not taken for the one that came next", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  const { db } = webhooks.service.app
  await db.deleteFrom("message").execute()
  webhooks.receiver.answer = () => new Response("", { status: 500 })
  await webhooks.respond()
  resolve(ok())
  await webhooks.settled()
  expect(await webhooks.deliveries(endpoint.id)).toMatchObject([
    { state: "pending", attempts: [{ outcome: "http_status" }] },
  ])
})

onSqlite("while the disk is full nothing is sent twice, and all is written down afterwards", async () => {
  webhooks = await aService().withReceivers().started()
  const { db } = webhooks.service.app
  const limitPages = (pages: string) =>
    db
      .transaction()
      .execute((transaction) => sql`PRAGMA max_page_count = ${sql.raw(pages)}`.execute(transaction))
  const endpoint = await webhooks.endpoint()
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks.receiver.answer = () => promise
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  {
    using other = new Database(databasePath(webhooks.service.app.config.dataDir), { strict: true })
    // Leaves no free page in the file, as soon as the service writes nothing.
    await eventually(() =>
      Promise.try(() => other.run("VACUUM")).then(
        () => true,
        () => false,
      ),
    )
  }
  await limitPages("1")
  resolve(new Response("x".repeat(4096)))
  for (let hour = 0; hour < 3; hour++) {
    webhooks.clock.move(hourMs)
    await webhooks.round()
  }
  expect((await webhooks.deliveries(endpoint.id))[0]).toMatchObject({ state: "pending", attempts: [] })
  await limitPages("1073741823")
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ outcome: "delivered" }] })
})

test("an endpoint deleted while its attempt is in flight gets nothing more", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  await webhooks.api.delete(`/api/v1/endpoints/${endpoint.id}`)
  resolve(new Response("", { status: 500 }))
  await webhooks.pass(30 * hourMs)
  expect(webhooks.receiver.received).toHaveLength(1)
  const { db } = webhooks.service.app
  const delivery = await db.selectFrom("delivery").selectAll().executeTakeFirst()
  expect(delivery).toMatchObject({ state: "cancelled" })
  expect(await db.selectFrom("endpoint_failure").selectAll().execute()).toEqual([])
})

const cancellations = {
  "its endpoint is deleted": (id: string) => webhooks.api.delete(`/api/v1/endpoints/${id}`),
  "its endpoint is made inactive": (id: string) =>
    webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false }),
  "its endpoint is limited to another project": async (id: string) => {
    const { body } = await webhooks.api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })
    return webhooks.api.patch(`/api/v1/endpoints/${id}`, { projects: [body.id] })
  },
  "its form response is erased": async () => {
    const { db, messageQueue } = webhooks.service.app
    const rows = await db.selectFrom("message").select("response_id").execute()
    const responseIds = rows.flatMap(({ response_id }) => response_id ?? [])
    await db.transaction().execute((transaction) => messageQueue.forget(transaction, responseIds))
    messageQueue.invalidateClaims()
    return { status: 204 }
  },
}

test.each(Object.entries(cancellations))("what waits for a place goes nowhere once %s", async (_, cancel) => {
  const { id, answer } = await startHolding()
  await webhooks.respondMany(40)
  await webhooks.receiver.waitFor(6)
  expect((await cancel(id)).status).toBeLessThan(300)
  await webhooks.round()
  webhooks.receiver.answer = ok
  answer()
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(6)
})

test("a large payload that another process erases while it waits is not sent", async () => {
  const { id, answer } = await startHolding()
  const large = { texte: "x".repeat(20_000) }
  const responseIds = await Promise.all(Array.from({ length: 10 }, () => webhooks.respond(large)))
  await webhooks.receiver.waitFor(6)
  const { db, messageQueue } = webhooks.service.app
  await db.transaction().execute((transaction) => messageQueue.forget(transaction, responseIds))
  webhooks.receiver.answer = ok
  answer()
  const attempts = async () => (await webhooks.deliveries(id)).flatMap((delivery) => delivery.attempts)
  // Nobody wakes the dispatcher: it goes on by itself.
  while ((await attempts()).length < 6) await Bun.sleep(5)
  await webhooks.settled()
  expect(await attempts()).toHaveLength(6)
  expect(webhooks.receiver.received).toHaveLength(6)
})

test("nothing leaves for an endpoint once it is limited to another project, however much is due and in whatever order", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const { id } = await webhooks.endpoint()
  // More than the change cancels before it is committed.
  await webhooks.respondMany(700)
  await webhooks.settled()
  const { db, messageQueue } = webhooks.service.app
  await db
    .updateTable("delivery")
    .set((row) => ({ due_at: sql`due_at + 2000 - ${row.ref("number")}` }))
    .execute()
  const { receiver } = webhooks
  const sent = receiver.received.length
  const answers: (() => void)[] = []
  receiver.answer = () =>
    new Promise((resolve) => answers.push(() => resolve(new Response("", { status: 500 }))))
  webhooks.clock.move(minuteMs)
  await webhooks.round()
  await receiver.waitFor(sent + 5)
  const { body } = await webhooks.api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })
  const { invalidateClaims } = messageQueue
  const committed = Promise.withResolvers<void>()
  // PostgreSQL shows others what it has committed before it says so: attempts may start until it has.
  using _told = spyOn(messageQueue, "invalidateClaims").mockImplementation(() => {
    invalidateClaims()
    committed.resolve()
  })
  const change = webhooks.api.patch(`/api/v1/endpoints/${id}`, { projects: [body.id] })
  await committed.promise
  for (const answer of answers.splice(0)) answer()
  await change
  await webhooks.settled()
  expect(receiver.received).toHaveLength(sent + 5)
})

onSqlite(
  "an attempt that ended before a stop is logged once, although the database was locked until then",
  async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    webhooks = await aService()
      .withReceivers([() => promise])
      .started()
    const { id } = await webhooks.endpoint()
    await webhooks.respond()
    await webhooks.receiver.waitFor(1)
    using other = new Database(databasePath(webhooks.service.app.config.dataDir), { strict: true })
    await lock(other)
    await beginRound()
    resolve(new Response("", { status: 500 }))
    const { metrics } = webhooks.service.app
    while (!(await metrics.text()).body.includes('outcome="http_status"')) await beginRound()
    // Later than the stop waits for what is in flight.
    setTimeout(() => other.run("ROLLBACK"), 400)
    await webhooks.stopWork()
    expect(await webhooks.deliveries(id)).toMatchObject([{ attempts: [{ outcome: "http_status" }] }])
  },
)

test("what waits for a place is sent to the new address, and signed with the new secret too", async () => {
  webhooks = await aService().withReceivers([ok, ok]).started()
  const [old, fresh] = webhooks.receivers
  const { id } = await webhooks.endpoint(old)
  await webhooks.respond()
  await webhooks.settled()
  const held = Promise.withResolvers<void>()
  if (old) old.answer = () => held.promise.then(ok)
  await webhooks.respondMany(20)
  await old?.waitFor(6)
  const url = `https://${fresh?.name}/hook`
  expect((await webhooks.api.patch(`/api/v1/endpoints/${id}`, { url })).status).toBe(200)
  expect((await webhooks.api.post(`/api/v1/endpoints/${id}/secret-rotations`)).status).toBe(200)
  await webhooks.round()
  held.resolve()
  await webhooks.settled()
  expect(old?.received).toHaveLength(6)
  expect(fresh?.received).toHaveLength(15)
  for (const { headers } of fresh?.received ?? [])
    expect(headers.get("webhook-signature")?.split(" ")).toHaveLength(2)
})

test("after a quiet time with one endpoint, a hundred that hang do not keep a healthy one out of the very next claim", async () => {
  webhooks = await aService().withReceivers([ok, hang, ok]).started()
  const [first, hanging, healthy] = webhooks.receivers
  const { db } = webhooks.service.app
  const queue = openQueue(webhooks.service.app)
  const limiter = openLimiter<Claim>({
    keyOf: ({ endpointId }) => endpointId,
    priorityOf: ({ priority }) => priority,
    isAlone: () => false,
  })
  const claim = async () => {
    const { claims } = await queue.round({
      nowMs: webhooks.clock.now(),
      results: [],
      held: limiter.items,
      capacity: limiter.capacity,
      invalidated: false,
    })
    limiter.add(claims)
    return claims
  }
  await webhooks.stopWork()
  await webhooks.endpoint(first)
  for (let quiet = 0; quiet < 3; quiet++) {
    await webhooks.respond()
    expect(await claim()).toHaveLength(1)
  }
  await webhooks.otherWorkspaces(100, hanging, 40)
  await webhooks.otherWorkspaces(1, healthy, 1)
  const { id } = await db
    .selectFrom("endpoint")
    .select("id")
    .where("url", "=", `https://${healthy?.name}/hook`)
    .executeTakeFirstOrThrow()
  expect((await claim()).map(({ endpointId }) => endpointId)).toContain(id)
})
