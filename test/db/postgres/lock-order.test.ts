import { test as anyTest, expect } from "bun:test"
import { dayMs } from "../../../src/base/clock.ts"
import { digestAfterMs, sendDigests } from "../../../src/forms/submission/owner-notice.ts"
import { openFailureCount } from "../../../src/webhooks/delivery/counts/failure-count.ts"
import type { AttemptResult } from "../../../src/webhooks/delivery/queue.ts"
import { takeUnnotified } from "../../../src/webhooks/endpoints/failing.ts"
import type { FormSite } from "../../support/forms.ts"
import { holdTable } from "../../support/held-table.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

const test = anyTest.skipIf(noPostgres())

/*
 * Two transactions that lock the same rows in opposite orders wait for each other, until PostgreSQL undoes one of
 * them. A third one holds the delivery here, so that both are under way when they come to it.
 */

const holdDeliveries = (url: string) => holdTable(url, "SELECT number FROM delivery FOR UPDATE")

async function started(): Promise<Webhooks & FormSite & { database: string }> {
  const database = await createDatabase()
  // A batch of posts that PostgreSQL undoes is repeated a second later: here nobody ends a deadlock in time.
  await administer(
    database,
    `ALTER DATABASE ${new URL(database).pathname.slice(1)} SET deadlock_timeout = '1min'`,
  )
  const site = await aService()
    .withSettings({ ...serverSettings(database), GUICHET_TRUSTED_PROXIES: "127.0.0.1" })
    .withOverrides({ sendMail: async () => {} })
    .withForms()
    .withReceivers()
    .started()
  return Object.assign(site, { database })
}

/** Whose visitor is another one. */
const from = (visitor: number) => ({ "x-forwarded-for": `203.0.113.${visitor}` })

test("an erasure and a resend of the same delivery wait for each other's end, not for each other", async () => {
  await using site = await started()
  const form = await site.form()
  const { id: endpointId } = await site.endpoint()
  const { body: posted } = await form.json({ nom: "Camille" })
  await site.settled()
  const [delivery] = await site.deliveries(endpointId)
  await using held = await holdDeliveries(site.database)
  const resent = site.api.post(`/api/v1/deliveries/${delivery.id}/attempts`)
  await held.waiters(1)
  const erased = site.api.delete(`/api/v1/forms/${form.id}/responses/${posted.id}`)
  await held.waiters(2)
  await held.release()
  expect([(await resent).status, (await erased).status]).toEqual([202, 204])
  await site.settled()
  const message = site.service.app.db.selectFrom("message").select("payload")
  expect(await message.execute()).toEqual([{ payload: null }])
})

test("an endpoint is removed while a failed attempt at it is written down", async () => {
  await using site = await started()
  const form = await site.form()
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>()
  site.receiver.answer = () => answered
  const { id: endpointId } = await site.endpoint()
  await form.json({ nom: "Camille" })
  await site.receiver.waitFor(1)
  await using held = await holdDeliveries(site.database)
  answer(new Response("no", { status: 500 }))
  await held.waiters(1)
  const removed = site.api.delete(`/api/v1/endpoints/${endpointId}`)
  await held.waiters(2)
  await held.release()
  expect((await removed).status).toBe(204)
  await site.settled()
  const { db } = site.service.app
  expect(await db.selectFrom("attempt").select("status").execute()).toEqual([{ status: 500 }])
  expect(await db.selectFrom("delivery").select("state").execute()).toEqual([{ state: "cancelled" }])
  expect(await db.selectFrom("endpoint_failure").select("endpoint_id").execute()).toEqual([])
})

test("posts of two forms that mail the same visitors wait for each other's end, not for each other", async () => {
  await using site = await started()
  const [form, other] = [await site.form({ receipt: true }), await site.form({ receipt: true })]
  const post = (visitor: number, adresse: string, values = {}) =>
    form.json({ nom: "Camille", adresse, ...values }, from(visitor))
  let checked = 0
  const { messageQueue } = site.service.app
  const { fits } = messageQueue
  messageQueue.fits = (...asked) => {
    checked++
    return fits(...asked)
  }
  await using counts = await holdTable(site.database, "LOCK TABLE limit_count IN SHARE MODE")
  // Stopped, it mails nobody. The two after it are stored together.
  const first = post(1, "alix@exemple.fr", { guichet_trap: "x" })
  await counts.waiters(1)
  const both = ["alix@exemple.fr", "camille@exemple.fr"].map((adresse, index) => post(2 + index, adresse))
  await eventually(() => checked === 3)
  await using mails = await holdTable(site.database, "LOCK TABLE mail IN SHARE MODE")
  await counts.release()
  await first
  await mails.waiters(1)
  const last = other.json({ nom: "Camille", adresse: "camille@exemple.fr" }, from(4))
  await mails.waiters(2)
  await mails.release()
  const posted = await Promise.all([first, ...both, last])
  expect(posted.map(({ status }) => status)).toEqual([201, 201, 201, 201])
})

test("a post and the digest of its form wait for each other's end, not for each other", async () => {
  await using site = await started()
  const form = await site.form({ receipt: true, owner_mail: { to: "ada@exemple.fr", contents: false } })
  const { db, clock } = site.service.app
  const since = clock.now() - digestAfterMs
  await db.insertInto("form_notice").values({ form_id: form.id, waiting: 1, since }).execute()
  await using mails = await holdTable(site.database, "LOCK TABLE mail IN SHARE MODE")
  const posted = form.json({ nom: "Camille", adresse: "camille@exemple.fr" })
  await mails.waiters(1)
  const digests = sendDigests(site.service.app)
  await mails.waiters(2)
  await mails.release()
  expect((await posted).status).toBe(201)
  await digests
  // Which of the two came first: the digest tells of one response or of both.
  expect(await db.selectFrom("form_notice").select("form_id").execute()).toEqual([])
})

test("owners are told of failures while further ones are written down", async () => {
  await using site = await started()
  const { db, clock } = site.service.app
  const endpointIds = [await site.endpoint(), await site.endpoint()].map(({ id }) => id)
  const [first_at, last_at] = [clock.now() - 2 * dayMs, clock.now()]
  const failing = { first_at, last_at, outcome: "timeout", status: null, notified_at: null } as const
  for (const endpoint_id of endpointIds.toReversed())
    await db
      .insertInto("endpoint_failure")
      .values({ endpoint_id, ...failing })
      .execute()
  await using held = await holdTable(
    site.database,
    `SELECT 1 FROM endpoint_failure WHERE endpoint_id = '${endpointIds[1]}' FOR UPDATE`,
  )
  const told = db.transaction().execute((transaction) => takeUnnotified(transaction, clock.now()))
  await held.waiters(1)
  const results = endpointIds.map(
    (endpointId) =>
      ({ claim: { endpointId }, endedAtMs: clock.now(), outcome: "timeout", status: null }) as AttemptResult,
  )
  const written = db.transaction().execute((transaction) => openFailureCount(db)(transaction, results))
  await held.waiters(2)
  await held.release()
  expect(await told).toHaveLength(2)
  await written
})
