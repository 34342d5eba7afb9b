import { expect, test } from "bun:test"
import { hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { sign, signingKey } from "../../../src/webhooks/endpoints/signature.ts"
import { aService } from "../../support/service-builder.ts"

const status = (code: number, headers = {}) => new Response("no", { status: code, headers })
const waits = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]

test("a form response reaches every endpoint, and the log says so", async () => {
  await using webhooks = await aService().withReceivers().started()
  const { received } = webhooks.receiver
  const endpoint = await webhooks.endpoint()
  const responseId = await webhooks.respond({ nom: "Zoé", lettre: "oui" })
  await webhooks.settled()
  const body = JSON.parse(new TextDecoder().decode(received[0]?.body))
  expect(body).toMatchObject({
    type: "form.response.created",
    timestamp: "2026-03-10T09:00:00.000Z",
    data: { id: responseId, values: { nom: "Zoé", lettre: "oui" } },
  })
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({
    message_id: received[0]?.headers.get("webhook-id"),
    type: "form.response.created",
    state: "delivered",
    attempts_made: 1,
    next_attempt_at: null,
    created_at: "2026-03-10T09:00:00.000Z",
    attempts: [{ number: 1, kind: "automatic", outcome: "delivered", status: 200, response_excerpt: "ok" }],
  })
  const { body: shown } = await webhooks.api.get(`/api/v1/deliveries/${delivery.id}`)
  expect(shown.payload).toBe(new TextDecoder().decode(received[0]?.body))
})

test("over 27 hours: 8 attempts, never early, the same message each time, signed anew; then the delivery is failed", async () => {
  await using webhooks = await aService()
    .withReceivers([() => status(500)])
    .started()
  const { received } = webhooks.receiver
  const endpoint = await webhooks.endpoint()
  const sentAt = [webhooks.clock.now()]
  await webhooks.respond()
  await webhooks.settled()
  for (const [index, wait] of waits.entries()) {
    const [{ next_attempt_at }] = await webhooks.deliveries(endpoint.id)
    expect(Date.parse(next_attempt_at) - webhooks.clock.now()).toBe(wait)
    await webhooks.pass(wait - 1)
    expect(received).toHaveLength(index + 1)
    await webhooks.pass(1)
    expect(received).toHaveLength(index + 2)
    sentAt.push(webhooks.clock.now())
  }
  await webhooks.pass(100 * hourMs)
  expect(received).toHaveLength(8)

  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "failed", attempts_made: 8, next_attempt_at: null })
  expect(delivery.attempts.map((one: { at: string }) => Date.parse(one.at))).toEqual(sentAt)
  for (const [index, { headers, body }] of received.entries()) {
    const seconds = Math.floor((sentAt[index] as number) / 1000)
    expect(headers.get("webhook-id")).toBe(delivery.message_id)
    expect(headers.get("webhook-timestamp")).toBe(String(seconds))
    expect(headers.get("webhook-signature")).toBe(
      sign([signingKey(endpoint.secret)], delivery.message_id, seconds, body),
    )
    expect(body).toEqual(received[0]?.body as Uint8Array)
  }
})

test("the wait counts from the end of the attempt before", async () => {
  await using webhooks = await aService()
    .withReceivers([
      () => {
        webhooks.clock.move(7 * secondMs)
        return status(503)
      },
    ])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery.next_attempt_at).toBe("2026-03-10T09:00:12.000Z")
})

test("any 2xx is a success, and ends the schedule", async () => {
  const answers = [status(500), status(204), status(500)]
  await using webhooks = await aService()
    .withReceivers([() => answers.shift() as Response])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  await webhooks.pass(5 * secondMs)
  await webhooks.pass(100 * hourMs)
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "delivered", attempts_made: 2 })
  expect(delivery.attempts.map((one: { status: number }) => one.status)).toEqual([500, 204])
})

test.each([301, 307, 308])("a redirect (%i) counts as a failure and is never followed", async (code) => {
  await using webhooks = await aService()
    .withReceivers([
      () => status(code, { location: "https://hooks1.acme.fr/hook" }),
      () => new Response("ok"),
    ])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "pending", attempts: [{ outcome: "http_status", status: code }] })
  expect(webhooks.receivers[1]?.received).toHaveLength(0)
})

test.each([400, 401, 404, 410, 429, 503])(
  "%i is a failure like any other: the schedule is fixed",
  async (code) => {
    await using webhooks = await aService()
      .withReceivers([() => status(code, { "retry-after": "86400" })])
      .started()
    const endpoint = await webhooks.endpoint()
    await webhooks.respond()
    await webhooks.settled()
    const [delivery] = await webhooks.deliveries(endpoint.id)
    expect(delivery).toMatchObject({ state: "pending", next_attempt_at: "2026-03-10T09:00:05.000Z" })
    const { body } = await webhooks.api.get(`/api/v1/endpoints/${endpoint.id}`)
    expect(body).toMatchObject({ active: true, failing: null })
  },
)

test("an endpoint that does not answer in time is a failure of its own kind", async () => {
  await using webhooks = await aService()
    .withOverrides({
      outbound: { answerTimeoutMs: 40 },
    })
    .withReceivers([() => new Promise<Response>(() => {})])
    .started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({ state: "pending", attempts: [{ outcome: "timeout", status: null }] })
})

test("a message over 256 KB is refused before anything is stored; one of exactly that size leaves", async () => {
  await using webhooks = await aService().withReceivers().started()
  await webhooks.endpoint()
  await webhooks.respond({ texte: "" })
  await webhooks.settled()
  const [empty] = webhooks.receiver.received
  const room = 262_144 - (empty?.body.length as number)
  await expect(webhooks.respond({ texte: "x".repeat(room + 1) })).rejects.toMatchObject({
    code: "invalid_request",
  })
  await webhooks.respond({ texte: "x".repeat(room) })
  await webhooks.settled()
  expect(webhooks.receiver.received.map(({ body }) => body.length)).toEqual([262_144 - room, 262_144])
  const messages = await webhooks.service.app.db.selectFrom("message").select("id").execute()
  expect(messages).toHaveLength(2)
})

test("a test message takes the same path, with the real type and every field", async () => {
  await using webhooks = await aService().withReceivers().started()
  const endpoint = await webhooks.endpoint()
  const { status, body } = await webhooks.api.post(`/api/v1/endpoints/${endpoint.id}/tests`)
  expect(status).toBe(202)
  await webhooks.settled()
  const sent = JSON.parse(new TextDecoder().decode(webhooks.receiver.received[0]?.body))
  expect(sent.type).toBe("form.response.created")
  expect(Object.keys(sent.data).sort()).toEqual(
    [
      "consent",
      "created_at",
      "email",
      "form_id",
      "form_name",
      "form_public_id",
      "id",
      "page",
      "values",
    ].sort(),
  )
  const { body: delivery } = await webhooks.api.get(`/api/v1/deliveries/${body.delivery_id}`)
  expect(delivery).toMatchObject({ state: "delivered", endpoint_id: endpoint.id })
})

test("the list can be narrowed by state and time, and read page by page, newest first", async () => {
  let code = 200
  await using webhooks = await aService()
    .withReceivers([() => status(code)])
    .started()
  const endpoint = await webhooks.endpoint()
  for (const next of [200, 500, 200]) {
    code = next
    await webhooks.respond()
    await webhooks.settled()
    // Ids that other tests made on a standing clock may be some milliseconds ahead, hence a second.
    webhooks.clock.move(secondMs)
  }
  const states = async (query: string) =>
    (await webhooks.deliveries(endpoint.id, query)).map((one: { state: string }) => one.state)
  expect(await states("")).toEqual(["delivered", "pending", "delivered"])
  expect(await states("?state=pending")).toEqual(["pending"])
  expect(await states("?since=2026-03-10T09:00:01.000Z")).toEqual(["delivered", "pending"])
  const path = `/api/v1/endpoints/${endpoint.id}/deliveries`
  const { body: page } = await webhooks.api.get(`${path}?limit=2`)
  const { body: rest } = await webhooks.api.get(`${path}?limit=2&cursor=${page.next_cursor}`)
  expect([page.items.length, rest.items.length, rest.next_cursor]).toEqual([2, 1, null])
  expect((await webhooks.api.get(`${path}?state=lost`)).status).toBe(400)
  expect((await webhooks.api.get(`${path}?since=yesterday`)).status).toBe(400)
})

test("a stranger's endpoint and delivery do not exist", async () => {
  await using webhooks = await aService().withReceivers().started()
  const endpoint = await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const [{ id }] = await webhooks.deliveries(endpoint.id)
  const stranger = await webhooks.stranger()
  expect((await stranger.get(`/api/v1/endpoints/${endpoint.id}/deliveries`)).status).toBe(404)
  expect((await stranger.post(`/api/v1/endpoints/${endpoint.id}/tests`)).status).toBe(404)
  expect(
    (await stranger.post(`/api/v1/endpoints/${endpoint.id}/replays`, { since: "2026-01-01" })).status,
  ).toBe(404)
  expect((await stranger.get(`/api/v1/deliveries/${id}`)).status).toBe(404)
  expect((await stranger.post(`/api/v1/deliveries/${id}/attempts`)).status).toBe(404)
})
