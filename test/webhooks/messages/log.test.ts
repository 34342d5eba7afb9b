import { afterEach, expect, test } from "bun:test"
import { addOperator } from "../../../src/accounts/operator.ts"
import { dayMs, hourMs, secondMs } from "../../../src/base/clock.ts"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import {
  type Failing,
  type Notify,
  notifyFailing,
  takeUnnotified,
} from "../../../src/webhooks/endpoints/failing.ts"
import { purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { somebodyWaits } from "../../support/lock.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

const hang = () => new Promise<Response>(() => {})
const tables = ["message", "delivery", "attempt"] as const

/** Rows of each table, then deliveries with an automatic attempt to come. */
async function counts() {
  const { db } = webhooks.service.app
  const due = await db.selectFrom("delivery").select("number").where("due_at", "is not", null).execute()
  const stored = await Promise.all(
    tables.map(async (table) => {
      const { count } = await db
        .selectFrom(table)
        .select((row) => row.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
      return count
    }),
  )
  return [...stored, due.length]
}

test("a list of deliveries with long answers ends its page early, and its cursor leads to all of them", async () => {
  webhooks = await aService().withReceivers().started()
  const { id } = await webhooks.endpoint()
  await webhooks.respondMany(5)
  await webhooks.settled()
  const { db } = webhooks.service.app
  const [attempt] = await db.selectFrom("attempt").selectAll().execute()
  for (const { number } of await db.selectFrom("delivery").select("number").execute())
    for (let at = 2; at <= 100; at++)
      await db
        .insertInto("attempt")
        .values({
          ...attempt,
          delivery_number: number,
          number: at,
          response_excerpt: "é".repeat(2000),
        } as never)
        .execute()
  const pages: string[][] = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/api/v1/endpoints/${id}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`
    const { body } = await webhooks.api.get(path)
    pages.push(body.items.map((item: { id: string }) => item.id))
    cursor = body.next_cursor
  }
  expect(pages.map(({ length }) => length)).toEqual([3, 2])
  const all = await db.selectFrom("delivery").select("id").orderBy("id", "desc").execute()
  expect(pages.flat()).toEqual(all.map((row) => row.id))
  expect(await webhooks.deliveries(id, "?state=failed")).toEqual([])
})

test("the log is kept 30 days, then goes with its payloads, in several batches", async () => {
  webhooks = await aService().withReceivers().started()
  await webhooks.endpoint()
  await webhooks.respondMany(250)
  await webhooks.settled()
  webhooks.clock.move(dayMs)
  await webhooks.respond()
  await webhooks.settled()
  const { db } = webhooks.service.app
  webhooks.clock.move(29 * dayMs - 1)
  expect(await purgeLog(db, webhooks.clock.now())).toBe(0)
  expect(await counts()).toEqual([251, 251, 251, 0])
  webhooks.clock.move(1)
  // The service purges by itself, too: what counts is what is left.
  await purgeLog(db, webhooks.clock.now() + 1)
  expect(await counts()).toEqual([1, 1, 1, 0])
})

test("what is still to be sent is not purged, however long the service was down", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.stopWork()
  webhooks.clock.move(40 * dayMs)
  expect(await purgeLog(webhooks.service.app.db, webhooks.clock.now())).toBe(0)
  expect(await counts()).toEqual([1, 1, 1, 1])
})

test("what is sent again while the log is purged stays", async () => {
  webhooks = await aService().withReceivers().started()
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.stopWork()
  webhooks.clock.move(31 * dayMs)
  const { db } = webhooks.service.app
  const updated = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const resending = db.transaction().execute(async (transaction) => {
    await transaction.updateTable("delivery").set({ resend_at: webhooks.clock.now() }).execute()
    updated.resolve()
    await promise
  })
  await updated.promise
  const purging = purgeLog(db, webhooks.clock.now())
  // By then the purge has found the expired message; its deletion waits behind the resend.
  await somebodyWaits(db)
  resolve()
  await resending
  expect(await purging).toBe(0)
  expect(await counts()).toEqual([1, 1, 1, 0])
})

test("erasing a form response erases its payload and what endpoints answered, and nothing more is sent", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("camille@exemple.fr: no", { status: 500 })])
    .started()
  const endpoint = await webhooks.endpoint()
  const erased = await webhooks.respond({ courriel: "camille@exemple.fr" })
  await webhooks.respond({ courriel: "autre@exemple.fr" })
  await webhooks.settled()
  const { app } = webhooks.service
  await app.db.transaction().execute((transaction) => app.messageQueue.forget(transaction, [erased]))
  await webhooks.pass(5 * secondMs)
  expect(webhooks.receiver.received).toHaveLength(3)
  const [kept, forgotten] = await webhooks.deliveries(endpoint.id)
  expect(kept).toMatchObject({
    state: "pending",
    attempts: [{}, { response_excerpt: "camille@exemple.fr: no" }],
  })
  expect(forgotten).toMatchObject({ state: "cancelled", attempts: [{ response_excerpt: null, status: 500 }] })
  const { body } = await webhooks.api.get(`/api/v1/deliveries/${forgotten.id}`)
  expect(body.payload).toBeNull()
})

test("what an endpoint answers after the erasure is not kept either", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  webhooks = await aService()
    .withReceivers([() => promise])
    .started()
  const endpoint = await webhooks.endpoint()
  const responseId = await webhooks.respond({ courriel: "camille@exemple.fr" })
  await webhooks.receiver.waitFor(1)
  const { app } = webhooks.service
  await app.db.transaction().execute((transaction) => app.messageQueue.forget(transaction, [responseId]))
  resolve(new Response("merci camille@exemple.fr"))
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery.attempts).toMatchObject([{ outcome: "delivered", response_excerpt: null }])
})

test("an endpoint whose every attempt failed for 24 hours is flagged with what it answers, until it answers again", async () => {
  let code = 410
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const endpoint = await webhooks.endpoint()
  const failing = async () => (await webhooks.api.get(`/api/v1/endpoints/${endpoint.id}`)).body.failing
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.pass(12 * hourMs)
  expect(await failing()).toBeNull()
  await webhooks.pass(12 * hourMs)
  const flag = {
    since: "2026-03-10T09:00:00.000Z",
    last_at: "2026-03-11T09:00:00.000Z",
    answer: "gone",
    cause: null,
  }
  expect(await failing()).toEqual(flag)
  expect((await webhooks.api.get("/api/v1/endpoints")).body.items[0].failing).toEqual(flag)
  expect((await webhooks.api.get(`/api/v1/endpoints/${endpoint.id}`)).body.active).toBe(true)
  code = 200
  await webhooks.respond()
  await webhooks.settled()
  expect(await failing()).toBeNull()
})

test("an endpoint that failed once, and was sent nothing since, is not said to go on failing", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const endpoint = await webhooks.endpoint()
  const responseId = await webhooks.respond()
  await webhooks.settled()
  const { app } = webhooks.service
  await app.db.transaction().execute((transaction) => app.messageQueue.forget(transaction, [responseId]))
  await webhooks.pass(30 * hourMs)
  expect(webhooks.receiver.received).toHaveLength(1)
  expect((await webhooks.api.get(`/api/v1/endpoints/${endpoint.id}`)).body.failing).toBeNull()
  expect(
    await app.db.transaction().execute((transaction) => takeUnnotified(transaction, app.clock.now())),
  ).toEqual([])
})

test("its owner is told once a day, as long as attempts go on failing", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const { db, log } = webhooks.service.app
  const told: Failing[] = []
  const take: Notify = async (_workspace, failing) => void told.push(...failing)
  const tell = () => notifyFailing(db, log, take, webhooks.clock.now())
  await webhooks.pass(23 * hourMs)
  await tell()
  expect(told).toHaveLength(0)
  await webhooks.pass(hourMs)
  await tell()
  await tell()
  expect(told).toMatchObject([{ outcome: "http_status", status: 500 }])
  await webhooks.pass(23 * hourMs)
  await tell()
  expect(told).toHaveLength(1)
  await webhooks.pass(hourMs)
  await tell()
  expect(told).toHaveLength(2)
  await webhooks.pass(100 * hourMs)
  await webhooks.pass(100 * hourMs)
  await tell()
  for (let day = 0; day < 5; day++) {
    webhooks.clock.move(dayMs)
    expect(await takeUnnotified(db, webhooks.clock.now())).toEqual([])
  }
})

test("the endpoints of a workspace are told together; owners who cannot be told keep no others from being told", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const ids = [(await webhooks.endpoint()).id, (await webhooks.endpoint()).id]
  await webhooks.otherWorkspaces(1, webhooks.receiver, 1)
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.pass(dayMs)
  const { db, log } = webhooks.service.app
  const asked = new Map<string, string[]>()
  const fail: Notify = async (workspaceId, failing) => {
    asked.set(workspaceId, failing.map(({ endpointId }) => endpointId).sort())
    throw new Error("no")
  }
  await notifyFailing(db, log, fail, webhooks.clock.now())
  expect(asked.size).toBe(2)
  expect(asked.get(webhooks.api.workspaceId)).toEqual(ids.sort())
})

test("its owners are told by mail, those who only read are not", async () => {
  const mails: OutgoingMail[] = []
  webhooks = await aService()
    .withOverrides({
      sendMail: async (mail) => void mails.push(mail),
    })
    .withReceivers([() => new Response("", { status: 410 })])
    .started()
  const { db, log, notify, mailer } = webhooks.service.app
  const { workspaceId } = webhooks.api
  const password = "une phrase assez longue"
  const now = webhooks.clock.now()
  await addOperator(db, { email: "camille@exemple.fr", password, workspaceId, role: "owner" }, now)
  await addOperator(db, { email: "sacha@exemple.fr", password, workspaceId, role: "viewer" }, now)
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.pass(dayMs)
  await notifyFailing(db, log, notify, webhooks.clock.now())
  await mailer.sendDue()
  expect(mails.map(({ to }) => to)).toEqual(["camille@exemple.fr"])
  expect(mails[0]?.text).toContain("https://hooks0.acme.fr/hook")
  expect(mails[0]?.text).toContain("cette URL répond qu’elle n’existe plus (410)")
  expect(mails[0]?.text).toContain("10 mars 2026")
})

test("an owner is told in French what comes of every attempt", async () => {
  const mails: OutgoingMail[] = []
  webhooks = await aService()
    .withOverrides({
      outbound: { answerTimeoutMs: 40 },
      sendMail: async (mail) => void mails.push(mail),
    })
    .withReceivers([hang])
    .started()
  const { db, log, notify, mailer } = webhooks.service.app
  const { workspaceId } = webhooks.api
  const operator = { email: "camille@exemple.fr", password: "une phrase assez longue", workspaceId }
  await addOperator(db, { ...operator, role: "owner" }, webhooks.clock.now())
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const tell = async () => {
    await webhooks.pass(dayMs)
    await notifyFailing(db, log, notify, webhooks.clock.now())
    await mailer.sendDue()
  }
  await tell()
  expect(mails[0]?.text).toContain("Dernier résultat\u00a0: pas de réponse en 10\u00a0secondes.")
  webhooks.receiver.answer = () => new Response("", { status: 503 })
  await tell()
  expect(mails[1]?.text).toContain("Dernier résultat\u00a0: réponse HTTP 503.")
  expect(mails[1]?.text).toMatch(
    new RegExp(`^https?://.+/console/webhooks/${id}/deliveries\\?state=failing$`, "m"),
  )
})
