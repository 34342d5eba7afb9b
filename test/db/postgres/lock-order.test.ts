import { test as anyTest, expect } from "bun:test"
import type { FormSite } from "../../support/forms.ts"
import { holdTable } from "../../support/held-table.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
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
  const site = await aService().withSettings(serverSettings(database)).withForms().withReceivers().started()
  return Object.assign(site, { database })
}

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
