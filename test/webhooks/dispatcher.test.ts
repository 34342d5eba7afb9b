import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { sql } from "kysely"
import { hourMs, minuteMs, secondMs } from "../../src/clock.ts"
import { databasePath } from "../../src/db/connection.ts"
import { claimer } from "../../src/webhooks/claim.ts"
import { openFlights } from "../../src/webhooks/flights.ts"
import { leaseMs, openLease } from "../../src/webhooks/lease.ts"
import { startWebhooks, type Webhooks } from "../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

const ok = () => new Response("ok")
const hang = () => new Promise<Response>(() => {})
const everything = { total: 10, shared: 10, each: 10, late: 10, of: () => 10, endpointIds: [], held: [] }

/** Claims what is due as another process would, and then dies. */
async function claimAndDie() {
  const { db } = webhooks.service.app
  const lease = openLease(db)
  const claim = claimer(db, lease)
  return db.transaction().execute(async (transaction) => {
    const claims = await claim(transaction, everything, webhooks.clock.now())
    await lease.hold(transaction, claims, webhooks.clock.now())
    return claims
  })
}

/** As soon as the service writes nothing. */
async function lock(other: Database): Promise<void> {
  for (;;) {
    try {
      other.run("BEGIN IMMEDIATE")
      return
    } catch {
      await new Promise(setImmediate)
    }
  }
}

async function respondUnseen() {
  const { wake } = webhooks.service.app.messages
  webhooks.service.app.messages.wake = () => {}
  await webhooks.respond()
  webhooks.service.app.messages.wake = wake
}

/**
 * An endpoint that answered once, so that more of its attempts are claimed than may depart, and that now answers when it is told to.
 * `answer` answers what it has received.
 */
async function startHolding() {
  webhooks = await startWebhooks([ok])
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
  webhooks = await startWebhooks([hang, ok])
  const [hanging, healthy] = webhooks.receivers
  const first = await webhooks.endpoint(hanging)
  await webhooks.respondMany(5000)
  await hanging?.waitFor(5)
  const second = await webhooks.endpoint(healthy)
  await webhooks.respondMany(20)
  await healthy?.waitFor(20)
  while ((await webhooks.deliveries(second.id, "?state=delivered")).length < 20) await webhooks.turn()
  expect(hanging?.received).toHaveLength(5)
  expect(await webhooks.deliveries(first.id, "?state=delivered")).toHaveLength(0)
})

test("a hundred endpoints that hang, in all workspaces, hold nobody up either", async () => {
  webhooks = await startWebhooks([hang, ok])
  const [hanging, healthy] = webhooks.receivers
  await webhooks.otherWorkspaces(100, hanging, 10)
  await hanging?.waitFor(100)
  await webhooks.endpoint(healthy)
  await webhooks.respondMany(20)
  await healthy?.waitFor(20)
  expect(hanging?.received.length).toBeLessThanOrEqual(64 + 100)
})

test("an endpoint that answered has more claimed than its five in flight; once it hangs, what waits is given back", async () => {
  webhooks = await startWebhooks([ok])
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  webhooks.receiver.answer = hang
  await webhooks.respondMany(40)
  await webhooks.receiver.waitFor(6)
  const { db } = webhooks.service.app
  const claimed = async () =>
    JSON.parse((await db.selectFrom("lease").select("held").executeTakeFirstOrThrow()).held).automatic.length
  expect(await claimed()).toBe(32)
  webhooks.clock.move(secondMs)
  await webhooks.turn()
  expect(await claimed()).toBe(5)
  expect(webhooks.receiver.received).toHaveLength(6)
  const logged = await webhooks.deliveries(endpoint.id)
  expect(logged.flatMap(({ attempts }) => attempts)).toHaveLength(1)
})

test("an attempt that waited while the database was locked outlasts its lease, and is not made twice all the same", async () => {
  const { id, answer } = await startHolding()
  await webhooks.respondMany(10)
  await webhooks.receiver.waitFor(6)
  webhooks.clock.move(900)
  {
    using other = new Database(databasePath(webhooks.service.app.config.dataDir), { strict: true })
    await lock(other)
    await webhooks.turn()
    webhooks.clock.move(5600)
    answer()
    await Bun.sleep(100)
    other.run("ROLLBACK")
  }
  while ((await webhooks.deliveries(id, "?state=delivered")).length < 6) await webhooks.turn()
  await webhooks.receiver.waitFor(11)
  webhooks.clock.move(6500)
  for (let turns = 0; turns < 5; turns++) await webhooks.turn()
  webhooks.receiver.answer = ok
  answer()
  await webhooks.settled()
  const ids = webhooks.receiver.received.map(({ headers }) => headers.get("webhook-id"))
  expect(ids).toHaveLength(11)
  expect(new Set(ids).size).toBe(11)
})

test("first attempts go before late ones, whatever is due longer", async () => {
  let code = 500
  webhooks = await startWebhooks([() => new Response("", { status: code })])
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

test("what a crash interrupts is tried again once its lease is over, logged, and none of the 8 is used up", async () => {
  webhooks = await startWebhooks()
  const endpoint = await webhooks.endpoint()
  await respondUnseen()
  expect(await claimAndDie()).toHaveLength(1)
  await webhooks.pass(leaseMs - 1)
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
  webhooks = await startWebhooks()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [{ id }] = await webhooks.deliveries(endpoint.id)
  const { db } = webhooks.service.app
  await db.updateTable("delivery").set({ resend_at: webhooks.clock.now() }).where("id", "=", id).execute()
  expect(await claimAndDie()).toMatchObject([{ kind: "manual" }])
  await webhooks.pass(leaseMs)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery.attempts.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)).toEqual([
    "automatic delivered",
    "manual interrupted",
    "manual delivered",
  ])
})

test("a delivery that is gone while its attempt is in flight is not taken for the one that came next", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await startWebhooks([() => promise])
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

test("what is in flight while the clock is set back is counted once, and tried again in its own time", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await startWebhooks([() => promise])
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  webhooks.clock.move(-9 * hourMs)
  await webhooks.turn()
  resolve(new Response("", { status: 500 }))
  webhooks.receiver.answer = ok
  await webhooks.settled()
  expect(await webhooks.deliveries(endpoint.id)).toMatchObject([
    { state: "pending", attempts_made: 1, next_attempt_at: "2026-03-10T00:00:05.000Z" },
  ])
  await webhooks.pass(5 * secondMs)
  expect(await webhooks.deliveries(endpoint.id)).toMatchObject([{ state: "delivered", attempts_made: 2 }])
})

test("what was claimed by one process is not claimed by another", async () => {
  webhooks = await startWebhooks()
  await webhooks.endpoint()
  await respondUnseen()
  expect(await claimAndDie()).toHaveLength(1)
  expect(await claimAndDie()).toHaveLength(0)
})

test("a stop that cannot wait for an answer leaves the delivery due at the next start", async () => {
  webhooks = await startWebhooks([hang])
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

test("a resend that a stop interrupts is made at the next start", async () => {
  webhooks = await startWebhooks([ok])
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

test("a clock that leaps forward repeats nothing that is in flight", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await startWebhooks([() => promise])
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  for (let leap = 0; leap < 3; leap++) {
    webhooks.clock.move(hourMs)
    await webhooks.turn()
  }
  resolve(ok())
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ outcome: "delivered" }] })
})

test("a clock that is set back strands nothing: no wait becomes longer than its own", async () => {
  webhooks = await startWebhooks([() => new Response("", { status: 500 })])
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await respondUnseen()
  await webhooks.pass(-9 * hourMs)
  const [second, first] = await webhooks.deliveries(endpoint.id)
  expect(first.next_attempt_at).toBe("2026-03-10T00:00:05.100Z")
  expect(second.attempts).toHaveLength(1)
  await webhooks.pass(5.1 * secondMs)
  expect((await webhooks.deliveries(endpoint.id))[1].attempts_made).toBe(2)
})

test("while the disk is full nothing is sent twice, and all is written down afterwards", async () => {
  webhooks = await startWebhooks()
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
    // Leaves no free page in the file.
    other.run("VACUUM")
  }
  await limitPages("1")
  resolve(new Response("x".repeat(4096)))
  for (let hour = 0; hour < 3; hour++) {
    webhooks.clock.move(hourMs)
    await webhooks.turn()
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
  webhooks = await startWebhooks([() => promise])
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
    const { db, messages } = webhooks.service.app
    const rows = await db.selectFrom("message").select("response_id").execute()
    const responseIds = rows.flatMap(({ response_id }) => response_id ?? [])
    await db.transaction().execute((transaction) => messages.forget(transaction, responseIds))
    messages.wake()
    return { status: 204 }
  },
}

test.each(Object.entries(cancellations))("what waits for a place goes nowhere once %s", async (_, cancel) => {
  const { id, answer } = await startHolding()
  await webhooks.respondMany(40)
  await webhooks.receiver.waitFor(6)
  expect((await cancel(id)).status).toBeLessThan(300)
  await webhooks.turn()
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
  const { db, messages } = webhooks.service.app
  await db.transaction().execute((transaction) => messages.forget(transaction, responseIds))
  webhooks.receiver.answer = ok
  answer()
  const attempts = async () => (await webhooks.deliveries(id)).flatMap((delivery) => delivery.attempts)
  // Nobody wakes the dispatcher: it goes on by itself.
  while ((await attempts()).length < 6) await Bun.sleep(5)
  await webhooks.settled()
  expect(await attempts()).toHaveLength(6)
  expect(webhooks.receiver.received).toHaveLength(6)
})

/** Every write of a lease fails, which is the last thing a turn does. */
async function failTurns(): Promise<void> {
  const { db } = webhooks.service.app
  const full = sql`CREATE TRIGGER full BEFORE INSERT ON lease BEGIN SELECT RAISE (ABORT, 'full'); END`
  await db.transaction().execute((transaction) => full.execute(transaction))
}

async function mendTurns(): Promise<void> {
  const { db } = webhooks.service.app
  await db.transaction().execute((transaction) => sql`DROP TRIGGER full`.execute(transaction))
}

test("nothing leaves for an endpoint once it is limited to another project, however much is due and in whatever order", async () => {
  webhooks = await startWebhooks([() => new Response("", { status: 500 })])
  const { id } = await webhooks.endpoint()
  await webhooks.respondMany(1500)
  await webhooks.settled()
  const { db } = webhooks.service.app
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
  await webhooks.turn()
  await receiver.waitFor(sent + 5)
  const { body } = await webhooks.api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })
  const limiting = webhooks.api.patch(`/api/v1/endpoints/${id}`, { projects: [body.id] })
  const isLimited = () => db.selectFrom("endpoint").select("limited").executeTakeFirstOrThrow()
  while ((await isLimited()).limited === 0) await new Promise(setImmediate)
  for (const answer of answers.splice(0)) answer()
  await limiting
  await webhooks.settled()
  expect(receiver.received).toHaveLength(sent + 5)
})

test("while a dead process holds what is due for hundreds of endpoints, the others are served", async () => {
  webhooks = await startWebhooks()
  const { db } = webhooks.service.app
  await webhooks.stopWork()
  await webhooks.otherWorkspaces(420, webhooks.receiver, 1)
  await db.updateTable("delivery").set({ due_late: 1, attempts_made: 1 }).execute()
  const due = await db.selectFrom("delivery").select("number").orderBy("endpoint_id").limit(400).execute()
  const held = JSON.stringify({ automatic: due.map(({ number }) => number), manual: [] })
  const until = webhooks.clock.now() + leaseMs
  await db.insertInto("lease").values({ holder: "dead", until, held }).execute()
  await using work = webhooks.service.app.work()
  await work.dispatcher.settled()
  expect(webhooks.receiver.received).toHaveLength(20)
})

test("a clock that is set back in a turn that cannot be written down loses no count of what is in flight", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await startWebhooks([() => promise])
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  await failTurns()
  webhooks.clock.move(-9 * hourMs)
  await webhooks.turn()
  await mendTurns()
  resolve(new Response("", { status: 500 }))
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(1)
  expect(await webhooks.deliveries(id)).toMatchObject([
    { attempts_made: 1, next_attempt_at: "2026-03-10T00:00:05.000Z" },
  ])
})

test("an attempt that ended before a stop is logged once, although the database was locked until then", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await startWebhooks([() => promise])
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.receiver.waitFor(1)
  using other = new Database(databasePath(webhooks.service.app.config.dataDir), { strict: true })
  await lock(other)
  webhooks.service.app.messages.wake()
  await Bun.sleep(20)
  resolve(new Response("", { status: 500 }))
  await Bun.sleep(30)
  setTimeout(() => other.run("ROLLBACK"), 400)
  await webhooks.stopWork()
  expect(await webhooks.deliveries(id)).toMatchObject([{ attempts: [{ outcome: "http_status" }] }])
})

test("what waits for a place is sent to the new address, and signed with the new secret too", async () => {
  webhooks = await startWebhooks([ok, ok])
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
  await webhooks.turn()
  held.resolve()
  await webhooks.settled()
  expect(old?.received).toHaveLength(6)
  expect(fresh?.received).toHaveLength(15)
  for (const { headers } of fresh?.received ?? [])
    expect(headers.get("webhook-signature")?.split(" ")).toHaveLength(2)
})

test("after a quiet time with one endpoint, a hundred that hang do not keep a healthy one out of the very next claim", async () => {
  webhooks = await startWebhooks([ok, hang, ok])
  const [first, hanging, healthy] = webhooks.receivers
  const { db } = webhooks.service.app
  const flights = openFlights()
  const look = claimer(db, openLease(db))
  const claim = async () => {
    const now = webhooks.clock.now()
    const claims = await db.transaction().execute((transaction) => look(transaction, flights.room(), now))
    for (const one of claims) flights.add(one)
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
