import { afterAll, beforeAll, expect, test } from "bun:test"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* Headers that an owner adds to the messages of an endpoint, whose values nobody is shown again. */

const secret = "Bearer c2VjcmV0LXNlY3JldA"
let webhooks: Webhooks
let client: ConsoleClient

beforeAll(async () => {
  webhooks = await aService()
    .withReceivers([
      ({ headers, path }) =>
        path === "/away"
          ? new Response(null, { status: 302, headers: { location: "https://hooks1.acme.fr/hook" } })
          : Response.json(
              { seen: headers.get("authorization") },
              {
                headers: { "x-seen": headers.get("authorization") ?? "" },
              },
            ),
      () => new Response("ok"),
    ])
    .started()
  client = await signedIn(webhooks.service)
})
afterAll(() => webhooks[Symbol.asyncDispose]())

const path = "/api/v1/endpoints"
const url = "https://hooks0.acme.fr/hook"
const change = (id: string, body: object) => webhooks.api.patch(`${path}/${id}`, body)

async function sent(): Promise<Headers> {
  const before = webhooks.receiver.received.length
  await webhooks.respond()
  await webhooks.settled()
  return webhooks.receiver.received[before]?.headers as Headers
}

async function made(body: object): Promise<string> {
  const { status, body: reply } = await webhooks.api.post(path, { url, ...body })
  expect([status, reply.error]).toEqual([201, undefined])
  return reply.id
}

test("own headers are sent beside ours, sealed at rest, and shown by name alone", async () => {
  const id = await made({ headers: [{ name: "Authorization", value: secret }] })
  expect((await sent()).get("authorization")).toBe(secret)

  const shown = await webhooks.api.get(`${path}/${id}`)
  expect(shown.body.headers).toEqual([{ name: "Authorization" }])
  const rows = await webhooks.service.app.db.selectFrom("endpoint").selectAll().execute()
  expect(JSON.stringify([shown.body, rows])).not.toContain("c2VjcmV0")
  expect((await client.get(`/console/webhooks/${id}`)).text).toContain("Authorization:")

  // The list replaces the one before; a name without a value keeps what is stored.
  const headers = [{ name: "authorization" }, { name: "x-tenant", value: "7" }]
  expect((await change(id, { headers })).body.headers).toEqual([
    { name: "authorization" },
    { name: "x-tenant" },
  ])
  const both = await sent()
  expect([both.get("authorization"), both.get("x-tenant")]).toEqual([secret, "7"])
  await change(id, { headers: [] })
  expect((await sent()).get("authorization")).toBe(null)
  await webhooks.api.delete(`${path}/${id}`)
})

test("an answer that repeats a value does not bring it into the log, nor onto the page of the delivery", async () => {
  const id = await made({ headers: [{ name: "Authorization", value: secret }] })
  await sent()
  const [delivery] = await webhooks.deliveries(id)
  expect(delivery.attempts[0].response_excerpt).toBe('{"seen":"***"}')
  const { text } = await client.get(`/console/deliveries/${delivery.id}`)
  expect(text).toContain("Authorization: (chiffrée, jamais affichée)")
  const logged = await webhooks.service.app.db.selectFrom("attempt").selectAll().execute()
  expect(JSON.stringify([logged, delivery]) + text).not.toContain("c2VjcmV0")
  await webhooks.api.delete(`${path}/${id}`)
})

test("a redirect is not followed, with these headers or without", async () => {
  const id = await made({ url: "https://hooks0.acme.fr/away", headers: [{ name: "x-key", value: "abc" }] })
  await sent()
  expect((await webhooks.deliveries(id))[0].attempts[0].status).toBe(302)
  expect(webhooks.receivers[1]?.received).toEqual([])
  await webhooks.api.delete(`${path}/${id}`)
})

test("who changes the URL to another host gives the values again, and does not learn them", async () => {
  const id = await made({ headers: [{ name: "Authorization", value: secret }] })
  const elsewhere = "https://hooks1.acme.fr/hook"
  expect((await change(id, { url: `${url}?b` })).status).toBe(200)
  for (const body of [{ url: elsewhere }, { url: elsewhere, headers: [{ name: "authorization" }] }]) {
    const { status, body: reply } = await change(id, body)
    expect([status, reply.error.fields.headers]).toEqual([400, expect.stringContaining("redonnez la valeur")])
  }
  expect((await change(id, { url: elsewhere, headers: [] })).status).toBe(200)
  await webhooks.api.delete(`${path}/${id}`)
})

const refused: [name: string, value: string | undefined, field: string][] = [
  ["x-a", "one\r\nx-b: two", "value"],
  ["x-a", "one\n", "value"],
  ["x-a", "clé", "value"],
  ["x-a", "a\u0001b", "value"],
  ["x-a", "", "value"],
  ["x-a", "x".repeat(4094), "value"],
  ["x-a", undefined, "value"],
  ["x a", "1", "name"],
  ["x-a:", "1", "name"],
  ["x-a\r\nhost", "1", "name"],
  ["é", "1", "name"],
  ...[
    "Webhook-Id",
    "webhook-anything",
    "HOST",
    "content-type",
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "Expect",
    "TE",
    "Upgrade",
    "Keep-Alive",
    "Proxy-Authorization",
    "Trailer",
    "User-Agent",
    "Accept",
  ].map((name): [string, string, string] => [name, "1", "name"]),
]

test.each(refused)("%j: %j is refused at its %s", async (name, value, field) => {
  const { status, body } = await webhooks.api.post(path, { url, headers: [{ name, value }] })
  expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([400, [`headers.0.${field}`]])
})

test("there are ten at most, of 4,096 bytes each, and none twice", async () => {
  // Together they are more than most servers take.
  const headers = Array.from({ length: 10 }, (_, at) => ({ name: `x-${at}`, value: "v".repeat(4093) }))
  await webhooks.api.delete(`${path}/${await made({ headers })}`)
  const id = await made({ headers: headers.slice(0, 3) })
  expect((await sent()).get("x-2")?.length).toBe(4093)
  await webhooks.api.delete(`${path}/${id}`)
  const more = await webhooks.api.post(path, { url, headers: [...headers, { name: "y", value: "1" }] })
  expect(Object.keys(more.body.error.fields)).toEqual(["headers"])
  const twice = [
    { name: "x-a", value: "1" },
    { name: "X-A", value: "2" },
  ]
  const { body } = await webhooks.api.post(path, { url, headers: twice })
  expect(Object.keys(body.error.fields)).toEqual(["headers.1.name"])
})

test("in the console they are lines of a text, and a wrong one is told there", async () => {
  const id = await made({})
  const page = `/console/webhooks/${id}`
  await client.get(page)
  const values = { url, description: "", active: "on", headers: "X-Key: a:b c\r\n\r\nx-tenant: 7\r\n" }
  expect((await client.post(page, values)).location).toBe(`${page}?done=saved`)
  const headers = await sent()
  expect([headers.get("x-key"), headers.get("x-tenant")]).toEqual(["a:b c", "7"])
  expect((await client.get(page)).text).toContain("X-Key:\nx-tenant:")
  expect((await client.post(page, { ...values, headers: "X-Key:\nx-tenant: 8" })).status).toBe(303)
  expect((await sent()).get("x-key")).toBe("a:b c")
  const wrong = await client.post(page, { ...values, headers: "Host: a" })
  expect([wrong.status, wrong.text.includes("ne peut pas être personnalisé")]).toEqual([400, true])
  await webhooks.api.delete(`${path}/${id}`)
})

test("the test receiver has none: it shows what it gets", async () => {
  const headers = [{ name: "x-key", value: "abc" }]
  const { status, body } = await webhooks.api.post(path, { kind: "test", headers })
  expect([status, Object.keys(body.error.fields)]).toEqual([400, ["headers"]])
})
