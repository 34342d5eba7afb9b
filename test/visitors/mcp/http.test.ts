import { afterAll, beforeAll, expect, test } from "bun:test"
import { ofAddress } from "../../../src/answering/ask/program-limits.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { answerable, origin, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// Who may send what to /mcp/:project, and how it is refused: every error is one of JSON-RPC.

let site: Site
let api: Api
beforeAll(async () => {
  site = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" })
    .withIndexedProject({ mcp_enabled: true, per_day: 40 })
    .started()
  api = await apiOf(site.service)
})
afterAll(() => site[Symbol.asyncDispose]())

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }
const list = { jsonrpc: "2.0", id: 7, method: "tools/list" }

const post = (body: unknown, headers: Record<string, string> = {}, project = site.project.id) =>
  site.send(
    { headers: { ...json, ...headers }, body: typeof body === "string" ? body : JSON.stringify(body) },
    `/mcp/${project}`,
  )

const change = (changes: object) => api.patch(`/api/v1/projects/${site.project.id}`, changes)

test("a project is closed to programs until its owner opens it", async () => {
  const other = (await api.post("/api/v1/projects", { name: "Autre", site: "https://autre.exemple.fr" })).body
  expect(other).toMatchObject({ mcp_enabled: false, llms_enabled: false })
  const closed = await post(list, {}, other.id)
  expect(closed).toMatchObject({
    status: 404,
    body: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, message: expect.stringContaining("n’est pas ouvert") },
    },
  })
  expect((await post(list, {}, "unknownproject")).status).toBe(404)
  expect((await post(list)).status).toBe(200)
})

test("a page of an undeclared site is refused, also by a name that leads here; a declared one and none may", async () => {
  for (const wrong of [
    "https://evil.exemple",
    "null",
    "http://127.0.0.1",
    "",
    "https://docs.exemple.fr.evil.exemple",
  ]) {
    const refused = await post(list, { origin: wrong })
    expect(refused).toMatchObject({ status: 403, body: { jsonrpc: "2.0", error: { code: -32000 } } })
  }
  for (const right of [origin, "https://guichet.exemple.fr"]) {
    const reply = await post(list, { origin: right })
    expect(reply.status).toBe(200)
    expect(reply.headers.get("access-control-allow-origin")).toBe(right)
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull()
  }
})

test("a program gets events where it names them, and JSON whatever else it accepts", async () => {
  const initialize = {
    ...list,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "essai", version: "1" } },
  }
  for (const accept of ["application/json", "*/*", "", "application/*;q=0.8", "text/html"])
    for (const message of [initialize, list]) {
      const reply = await post(message, { accept })
      expect([accept, reply.status, reply.headers.get("content-type")]).toEqual([
        accept,
        200,
        "application/json",
      ])
      expect(reply.body).toMatchObject({ jsonrpc: "2.0", id: 7, result: expect.any(Object) })
    }
  for (const accept of ["text/event-stream", "application/json, text/event-stream"])
    expect((await post(list, { accept })).headers.get("content-type")).toStartWith("text/event-stream")
  const none = await fetch(`${site.service.url}/mcp/${site.project.id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(list),
  })
  expect((await none.json()) as object).toMatchObject({ id: 7, result: { tools: expect.any(Array) } })
  // A notification asks for no reply.
  const notified = await post({ jsonrpc: "2.0", method: "notifications/initialized" }, { accept: "*/*" })
  expect(notified.status).toBe(202)
})

test("there is no session to open or to end", async () => {
  for (const method of ["GET", "DELETE"]) {
    const reply = await site.send({ method }, `/mcp/${site.project.id}`)
    expect(reply).toMatchObject({ status: 405, body: { jsonrpc: "2.0", id: null, error: { code: -32000 } } })
    expect(reply.headers.get("allow")).toBe("POST")
  }
  const reply = await post(list)
  expect(reply.headers.get("mcp-session-id")).toBeNull()
})

test("hostile requests get an error of JSON-RPC, and nothing is asked", async () => {
  const ask = { ...list, method: "tools/call", params: { name: "ask", arguments: { question: answerable } } }
  const deep = `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`
  const hostile: [body: unknown, status: number][] = [
    ["", 400],
    ["{", 400],
    ["\u0000", 400],
    ["null", 400],
    ["5", 400],
    [[], 400],
    [Array.from({ length: 50 }, (_, id) => ({ ...ask, id })), 400],
    [{ ...list, id: {} }, 400],
    [{ ...list, method: 5 }, 400],
    [{ jsonrpc: "1.0", id: 1, method: "tools/list" }, 400],
    [deep, 400],
    ["x".repeat(65 * 1024), 413],
    [{ ...ask, params: { ...ask.params, arguments: { question: "x".repeat(64 * 1024) } } }, 413],
  ]
  const before = (await api.get(`/api/v1/projects/${site.project.id}/answer-statistics`)).body.asked
  for (const [body, status] of hostile) {
    const reply = await post(body)
    expect({ body: String(body).slice(0, 40), status: reply.status }).toEqual({
      body: String(body).slice(0, 40),
      status,
    })
    expect(reply.body).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } })
  }
  const plain = await post(list, { "content-type": "text/plain" })
  expect(plain).toMatchObject({ status: 415, body: { jsonrpc: "2.0" } })
  const waiting = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      },
    },
  }
  const listened = await post(waiting, {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  })
  expect(JSON.stringify(listened.body)).toContain("Subscription limit reached")
  expect((await api.get(`/api/v1/projects/${site.project.id}/answer-statistics`)).body.asked).toBe(before)
})

test("requests of one address have a limit of their own, which says when to come back", async () => {
  const from = { "x-forwarded-for": "203.0.113.7" }
  const replies = await Promise.all(Array.from({ length: ofAddress.points + 1 }, () => post(list, from)))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({ status: 429, body: { jsonrpc: "2.0", error: { code: -32000 } } })
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await post(list, { "x-forwarded-for": "203.0.113.8" })).status).toBe(200)
})

test("programs get a quarter of the day’s questions; visitors keep theirs, and search goes on", async () => {
  const asking = (id: number, address: string) =>
    post(
      { ...list, id, method: "tools/call", params: { name: "ask", arguments: { question: answerable } } },
      { "x-forwarded-for": address },
    )
  const texts: string[] = []
  for (let at = 0; at < 11; at++) texts.push(String((await asking(at, `203.0.113.${20 + at}`)).body))
  expect(texts.slice(0, 10).every((text) => text.includes('"status":"answered"'))).toBe(true)
  expect(texts[10]).toContain('"isError":true')
  expect(texts[10]).toContain("La part des questions réservée aux programmes est épuisée")
  expect((await site.ask()).status).toBe(200)
  const search = { ...list, method: "tools/call", params: { name: "search", arguments: { q: "signature" } } }
  expect(String((await post(search)).body)).toContain('"items"')
})

test("a project whose assistant is off answers no program", async () => {
  await change({ assistant_enabled: false })
  const ask = { ...list, method: "tools/call", params: { name: "ask", arguments: { question: answerable } } }
  expect(await post(ask)).toMatchObject({ status: 403, body: { jsonrpc: "2.0", error: { code: -32000 } } })
  await change({ assistant_enabled: true, mcp_enabled: false })
  expect((await post(list)).status).toBe(404)
  await change({ mcp_enabled: true })
})
