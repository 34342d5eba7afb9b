import { afterEach, expect, test } from "bun:test"
import { dayMs, hourMs, secondMs } from "../../../src/base/clock.ts"
import { maxAttempts } from "../../../src/webhooks/endpoints/replayable.ts"
import { replay } from "../../../src/webhooks/messages/replay.ts"
import { somebodyWaits } from "../../support/lock.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
let code: number
afterEach(() => webhooks[Symbol.asyncDispose]())

async function failOnce() {
  code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const endpoint = await webhooks.endpoint()
  const responseId = await webhooks.respond()
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  const read = async () => (await webhooks.api.get(`/api/v1/deliveries/${delivery.id}`)).body
  const resend = async () => {
    const answered = await webhooks.api.post(`/api/v1/deliveries/${delivery.id}/attempts`)
    await webhooks.settled()
    return answered
  }
  return { endpoint, delivery, responseId, read, resend }
}

test("a resend that succeeds has the same webhook-id and a new timestamp, and ends the automatic attempts", async () => {
  const { delivery, read, resend } = await failOnce()
  code = 200
  webhooks.clock.move(2 * secondMs)
  expect((await resend()).status).toBe(202)
  expect(await read()).toMatchObject({
    state: "delivered",
    attempts_made: 1,
    next_attempt_at: null,
    attempts: [
      { number: 1, kind: "automatic", outcome: "http_status" },
      { number: 2, kind: "manual", outcome: "delivered" },
    ],
  })
  const [first, second] = webhooks.receiver.received
  expect(second?.headers.get("webhook-id")).toBe(delivery.message_id)
  expect(Number(second?.headers.get("webhook-timestamp"))).toBe(
    Number(first?.headers.get("webhook-timestamp")) + 2,
  )
  expect(second?.headers.get("webhook-signature")).not.toBe(first?.headers.get("webhook-signature") as string)
  await webhooks.pass(30 * hourMs)
  expect(webhooks.receiver.received).toHaveLength(2)
})

test("a resend that fails leaves the automatic schedule as it was", async () => {
  const { delivery, read, resend } = await failOnce()
  await resend()
  expect(await read()).toMatchObject({
    state: "pending",
    attempts_made: 1,
    next_attempt_at: delivery.next_attempt_at,
    attempts: [{ kind: "automatic" }, { kind: "manual", outcome: "http_status" }],
  })
  await webhooks.pass(5 * secondMs)
  expect((await read()).attempts_made).toBe(2)
})

test("a delivery that was received, or has failed for good, can be sent again too", async () => {
  const { read, resend } = await failOnce()
  for (let attempt = 0; attempt < 8; attempt++) await webhooks.pass(10 * hourMs)
  expect((await read()).state).toBe("failed")
  await resend()
  expect(await read()).toMatchObject({ state: "failed", attempts_made: 8 })
  code = 200
  await resend()
  expect((await read()).state).toBe("delivered")
  await resend()
  expect((await read()).attempts).toHaveLength(11)
})

test("refused with a reason: inactive endpoint, erased payload, deleted endpoint", async () => {
  const { endpoint, responseId, resend } = await failOnce()
  const { app } = webhooks.service
  await webhooks.api.patch(`/api/v1/endpoints/${endpoint.id}`, { active: false })
  const inactive = await resend()
  expect([inactive.status, inactive.body.error.code]).toEqual([409, "conflict"])
  expect(inactive.body.error.message).toContain("désactivée")

  await webhooks.api.patch(`/api/v1/endpoints/${endpoint.id}`, { active: true })
  await app.db.transaction().execute((transaction) => app.messageQueue.forget(transaction, [responseId]))
  const erased = await resend()
  expect(erased.status).toBe(409)
  expect(erased.body.error.message).toContain("effacé")

  await webhooks.api.delete(`/api/v1/endpoints/${endpoint.id}`)
  const deleted = await resend()
  expect(deleted.status).toBe(409)
  expect(deleted.body.error.message).toContain("supprimée")
})

test("a delivery is attempted a hundred times at most, one by one or by replays", async () => {
  const { endpoint, delivery, read, resend } = await failOnce()
  const { db } = webhooks.service.app
  await db
    .updateTable("attempt")
    .set({ number: maxAttempts - 1 })
    .execute()
  expect((await resend()).status).toBe(202)
  expect((await read()).attempts.at(-1).number).toBe(maxAttempts)
  const refused = await resend()
  expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"])
  expect(refused.body.error.message).toContain(`${maxAttempts} tentatives`)
  await db.updateTable("delivery").set({ state: "failed", due_at: null, ended_at: 1 }).execute()
  const replayed = await webhooks.api.post(`/api/v1/endpoints/${endpoint.id}/replays`, {
    since: "1970-01-01",
  })
  expect([replayed.status, replayed.body.count]).toEqual([202, 0])
  expect((await read()).id).toBe(delivery.id)
})

test("a replay sends again what failed, what was cancelled, and what came in while the endpoint was inactive", async () => {
  const { endpoint } = await failOnce()
  const path = `/api/v1/endpoints/${endpoint.id}`
  for (let attempt = 0; attempt < 8; attempt++) await webhooks.pass(10 * hourMs)
  await webhooks.respond({ n: "cancelled" })
  await webhooks.settled()
  await webhooks.api.patch(path, { active: false })
  await webhooks.respond({ n: "meanwhile" })
  await webhooks.pass(30 * hourMs)
  expect(webhooks.receiver.received).toHaveLength(9)
  expect((await webhooks.api.post(`${path}/replays`, { since: "2026-03-10" })).status).toBe(409)

  code = 200
  await webhooks.api.patch(path, { active: true })
  const later = new Date(webhooks.clock.now()).toISOString()
  expect((await webhooks.api.post(`${path}/replays`, { since: later })).body).toMatchObject({ count: 0 })
  const { status, body } = await webhooks.api.post(`${path}/replays`, { since: "2026-03-10T09:00:00Z" })
  expect([status, body.count]).toEqual([202, 3])
  await webhooks.settled()
  const states = (await webhooks.deliveries(endpoint.id)).map((one: { state: string }) => one.state)
  expect(states).toEqual(["delivered", "delivered", "delivered"])
  expect(webhooks.receiver.received).toHaveLength(12)
  expect((await webhooks.api.post(`${path}/replays`, { since: "2026-03-10" })).body).toMatchObject({
    count: 0,
  })
  expect((await webhooks.api.post(`${path}/replays`, {})).status).toBe(400)
  expect((await webhooks.api.post(`${path}/replays`, { since: "hier" })).body.error.fields).toHaveProperty(
    "since",
  )
})

test("making an endpoint inactive cancels what is pending, and nothing more is sent", async () => {
  const { endpoint, read } = await failOnce()
  await webhooks.api.patch(`/api/v1/endpoints/${endpoint.id}`, { active: false })
  expect(await read()).toMatchObject({ state: "cancelled", next_attempt_at: null, attempts_made: 1 })
  await webhooks.api.patch(`/api/v1/endpoints/${endpoint.id}`, { active: true })
  await webhooks.pass(30 * hourMs)
  expect(webhooks.receiver.received).toHaveLength(1)
})

test("an endpoint that is limited anew gets nothing more of other forms: no backlog, no replay", async () => {
  code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const { api, service, clock } = webhooks
  const endpoint = await webhooks.endpoint()
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const formOf = async (name: string) => {
    const project = (await api.post("/api/v1/projects", { name, site: `https://${name}.fr` })).body.id
    return { project, form: (await api.post("/api/v1/forms", { project, name, fields })).body.id }
  }
  const [ours, alsoOurs, theirs] = [await formOf("un"), await formOf("deux"), await formOf("trois")]
  for (const { project, form } of [ours, alsoOurs, theirs]) {
    const data = { form_id: form } as never
    const message = {
      workspaceId: api.workspaceId,
      projectId: project,
      formId: form,
      responseId: `resp_${form}`,
    }
    await service.app.db
      .transaction()
      .execute((transaction) =>
        service.app.messageQueue.enqueue(transaction, { ...message, data, now: clock.now() }),
      )
  }
  await api.post(`/api/v1/endpoints/${endpoint.id}/tests`)
  await webhooks.settled()
  const limits = { projects: [ours.project], forms: [alsoOurs.form] }
  await api.patch(`/api/v1/endpoints/${endpoint.id}`, limits)
  const states = async () =>
    (await webhooks.deliveries(endpoint.id)).map(({ state }: { state: string }) => state).sort()
  expect(await states()).toEqual(["cancelled", "pending", "pending", "pending"])
  await api.post(`/api/v1/endpoints/${endpoint.id}/replays`, { since: "2026-03-10T00:00:00Z" })
  await webhooks.pass(30 * hourMs)
  const sent = webhooks.receiver.received.map(({ body }) => new TextDecoder().decode(body))
  expect(sent.filter((text) => text.includes(theirs.form))).toHaveLength(1)
  expect(sent.filter((text) => text.includes(ours.form)).length).toBeGreaterThan(1)
})

test("a large backlog is cancelled batch by batch, and visitors are answered in between", async () => {
  code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.stopWork()
  await webhooks.respondMany(1100)
  const { db } = webhooks.service.app
  const pending = () => db.selectFrom("delivery").select("id").where("due_at", "is not", null).execute()
  const seen = new Set<number>()
  let altered = false
  void webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false }).finally(() => {
    altered = true
  })
  while (!altered) {
    seen.add((await pending()).length)
    await db.transaction().execute(async () => {})
  }
  expect([...seen].some((count) => count > 0 && count < 1100)).toBe(true)
  expect(await pending()).toEqual([])
})

test("what a crash left due of forms that an endpoint gets no more goes nowhere, but by hand", async () => {
  code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.service.app.db.updateTable("endpoint").set({ filtered: 1 }).where("id", "=", id).execute()
  await webhooks.pass(dayMs)
  expect(webhooks.receiver.received).toHaveLength(1)
  const [delivery] = await webhooks.deliveries(id)
  expect(delivery).toMatchObject({ state: "cancelled", next_attempt_at: null, attempts_made: 1 })
  await webhooks.api.post(`/api/v1/deliveries/${delivery.id}/attempts`)
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(2)
})

test("what is erased while a replay is under way is not sent again", async () => {
  code = 500
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: code })])
    .started()
  const { app } = webhooks.service
  const { id } = await webhooks.endpoint()
  const responseId = await webhooks.respond()
  await webhooks.settled()
  for (let attempt = 0; attempt < 8; attempt++) await webhooks.pass(10 * hourMs)
  const forgotten = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const erasing = app.db.transaction().execute(async (transaction) => {
    await app.messageQueue.forget(transaction, [responseId])
    forgotten.resolve()
    await promise
  })
  await forgotten.promise
  const endpoint = { workspaceId: webhooks.api.workspaceId, endpointId: id }
  const replaying = replay(app.db, endpoint, 0, webhooks.clock.now())
  // The replay waits behind the erasure.
  await somebodyWaits(app.db)
  resolve()
  await erasing
  expect(await replaying).toBe(0)
  expect(await app.db.selectFrom("delivery").select(["due_at", "resend_at"]).execute()).toEqual([
    { due_at: null, resend_at: null },
  ])
})

test("an attempt that ends after its delivery was cancelled is one of the 8 too; a replay gives none beyond", async () => {
  const last = Promise.withResolvers<Response>()
  const bad = () => new Response("", { status: 500 })
  let attempts = 0
  webhooks = await aService()
    .withReceivers([
      () => {
        attempts++
        if (attempts === 8) return last.promise
        return attempts < 8 ? bad() : new Response("ok")
      },
    ])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  while (attempts < 7) await webhooks.pass(10 * hourMs)
  webhooks.clock.move(11 * hourMs)
  await webhooks.round()
  await webhooks.receiver.waitFor(8)
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false })
  last.resolve(bad())
  await webhooks.settled()
  expect(await webhooks.deliveries(id)).toMatchObject([{ state: "cancelled", attempts_made: 8 }])

  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: true })
  const since = "2026-01-01T00:00:00Z"
  expect((await webhooks.api.post(`/api/v1/endpoints/${id}/replays`, { since })).body).toMatchObject({
    count: 1,
  })
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(id)
  expect(delivery).toMatchObject({ state: "delivered", attempts_made: 8 })
  const kinds = delivery.attempts.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual([...Array(8).fill("automatic"), "manual"])
})

test("what becomes due for an inactive endpoint, by a replay that was under way, goes nowhere", async () => {
  webhooks = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.service.app.db.updateTable("endpoint").set({ active: 0 }).where("id", "=", id).execute()
  await webhooks.pass(dayMs)
  expect(webhooks.receiver.received).toHaveLength(1)
  expect(await webhooks.deliveries(id)).toMatchObject([{ state: "cancelled", next_attempt_at: null }])
})
