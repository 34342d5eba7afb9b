import { afterEach, expect, test } from "bun:test"
import { startWebhooks, type Webhooks } from "../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

test("a form response reaches every endpoint, and the log says so", async () => {
  webhooks = await startWebhooks()
  const [receiver] = webhooks.receivers
  const endpoint = await webhooks.endpoint()
  const responseId = await webhooks.respond({ nom: "Zoé", lettre: "oui" })
  await webhooks.settled()
  const [received] = receiver?.received ?? []
  const body = JSON.parse(new TextDecoder().decode(received?.body))
  expect(body).toMatchObject({
    type: "form.response.created",
    timestamp: "2026-03-10T09:00:00.000Z",
    data: { id: responseId, values: { nom: "Zoé", lettre: "oui" } },
  })
  const [delivery] = await webhooks.deliveries(endpoint.id)
  expect(delivery).toMatchObject({
    message_id: received?.headers.get("webhook-id"),
    type: "form.response.created",
    state: "delivered",
    attempts_made: 1,
    next_attempt_at: null,
    created_at: "2026-03-10T09:00:00.000Z",
    attempts: [{ number: 1, kind: "automatic", outcome: "delivered", status: 200, response_excerpt: "ok" }],
  })
  const { body: shown } = await webhooks.api.get(`/api/v1/deliveries/${delivery.id}`)
  expect(shown.payload).toBe(new TextDecoder().decode(received?.body))
})
