import { afterEach, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { dayMs, minuteMs } from "../../../src/base/clock.ts"
import { sign, signingKey, verifySignature } from "../../../src/webhooks/endpoints/signature.ts"
import { erasePayloads } from "../../../src/webhooks/messages/erase.ts"
import { purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

const path = "/api/v1/endpoints"
let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

async function start(overrides = {}) {
  webhooks = await aService().withReceivers().withOverrides(overrides).started()
  const { status, body } = await webhooks.api.post(path, { kind: "test" })
  expect(status).toBe(201)
  return body as { id: string; secret: string; url: string }
}

async function taken(id: string) {
  return (await webhooks.api.get(`${path}/${id}/requests`)).body.items
}

test("the test receiver takes what every endpoint gets, over TLS, and shows it as it came", async () => {
  const { id, secret } = await start()
  await webhooks.respond({ nom: "Zoé" })
  await webhooks.settled()
  const [delivery] = await webhooks.deliveries(id)
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ outcome: "delivered", status: 200 }] })
  const [request] = await taken(id)
  expect(request).toMatchObject({ message_id: delivery.message_id, signature: "right", answer: "ok" })
  expect(JSON.parse(request.body).data.values).toEqual({ nom: "Zoé" })
  const headers = Object.fromEntries(
    request.headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
  )
  expect(headers["content-type"]).toBe("application/json")
  const webhook = new Webhook(secret)
  // The library looks at the time of this machine.
  expect(() => webhook.verify(request.body, headers)).toThrow("timestamp too old")
  const sentAt = Number(headers["webhook-timestamp"])
  expect(headers["webhook-signature"]).toBe(
    sign([signingKey(secret)], headers["webhook-id"], sentAt, Buffer.from(request.body)),
  )
})

test.each([
  ["error", { outcome: "http_status", status: 500 }],
  ["redirect", { outcome: "http_status", status: 302 }],
  ["silence", { outcome: "timeout", status: null }],
] as const)(
  "told to answer by %s, it makes the attempt fail as an application would",
  async (answer, attempt) => {
    const { id } = await start({ outbound: { answerTimeoutMs: 500 } })
    expect((await webhooks.api.patch(`${path}/${id}`, { test_answer: answer })).body.test_answer).toBe(answer)
    await webhooks.respond()
    await webhooks.settled()
    const [delivery] = await webhooks.deliveries(id)
    expect(delivery).toMatchObject({ state: "pending", attempts: [attempt] })
    expect(await taken(id)).toMatchObject([{ answer, signature: "right" }])
  },
)

test("a workspace has one, which counts among the 20, and no other kind has its settings", async () => {
  const { id, url } = await start()
  expect((await webhooks.api.post(path, { kind: "test" })).status).toBe(409)
  expect(
    (await webhooks.api.post(path, { kind: "test", url: "https://hooks0.acme.fr/" })).body.error.fields,
  ).toHaveProperty("url")
  expect((await webhooks.api.post(path, {})).body.error.fields).toHaveProperty("url")
  expect((await webhooks.api.patch(`${path}/${id}`, { url: "https://hooks0.acme.fr/" })).status).toBe(400)
  const other = await webhooks.endpoint()
  const refused = await webhooks.api.patch(`${path}/${other.id}`, { test_answer: "error" })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["test_answer"]])
  expect((await webhooks.api.patch(`${path}/${other.id}`, { url })).status).toBe(400)
  const stranger = await webhooks.stranger()
  expect((await stranger.get(`${path}/${id}/requests`)).status).toBe(404)
  expect((await stranger.post(path, { kind: "test" })).status).toBe(201)
  for (let made = 2; made < 20; made++) expect((await webhooks.endpoint()).id).toMatch(/^ep_/)
  expect((await webhooks.api.post(path, { url: "https://hooks0.acme.fr/" })).status).toBe(409)
})

test("the last 50 requests are kept for a day, and go with the form response", async () => {
  const { id } = await start()
  await webhooks.respondMany(60)
  await webhooks.settled()
  webhooks.clock.move(1)
  const erased = await webhooks.respond({ nom: "Zoé" })
  await webhooks.settled()
  expect(await taken(id)).toHaveLength(50)
  const { db } = webhooks.service.app
  await db.transaction().execute((transaction) => erasePayloads(transaction, [erased], webhooks.clock.now()))
  const left = await taken(id)
  expect(left).toHaveLength(49)
  expect(JSON.stringify(left)).not.toContain("Zoé")
  webhooks.clock.move(dayMs)
  expect(await taken(id)).toEqual([])
  await purgeLog(db, webhooks.clock.now())
  expect(await db.selectFrom("test_request").select("id").execute()).toEqual([])
})

test("nobody else reaches it, and its address leads nowhere", async () => {
  const { id, url } = await start()
  expect(url).toEndWith(".invalid/")
  await webhooks.respond()
  await webhooks.settled()
  const { outbound } = webhooks.service.app
  const key = signingKey("whsec_AAAA")
  const sent = await outbound.send({ id, kind: "https", url, keys: [key] }, "msg_1", new Uint8Array(2))
  expect(sent.outcome).toBe("private_address")
  expect(await taken(id)).toHaveLength(1)
})

test("a signature is judged as receivers do", async () => {
  webhooks = await aService().withReceivers().started()
  const [key, other] = [signingKey("whsec_AAAA"), signingKey("whsec_BBBB")]
  const [nowMs, body] = [1_700_000_000_000, Buffer.from("{}")]
  const judged = (keys: Buffer[], sentAt: number, text = body) =>
    verifySignature(
      [key],
      new Headers({
        "webhook-id": "msg_1",
        "webhook-timestamp": String(sentAt),
        "webhook-signature": sign(keys, "msg_1", sentAt, body),
      }),
      text,
      nowMs,
    )
  const now = nowMs / 1000
  expect(judged([key], now)).toBe("right")
  expect(judged([other, key], now)).toBe("right")
  expect(judged([other], now)).toBe("wrong")
  expect(judged([key], now, Buffer.from("[]"))).toBe("wrong")
  expect(judged([key], now - (6 * minuteMs) / 1000)).toBe("late")
  expect(verifySignature([key], new Headers(), body, nowMs)).toBe("wrong")
})
