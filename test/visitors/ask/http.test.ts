import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import type { Answerer } from "../../../src/answering/answerer.ts"
import { extractive } from "../../../src/answering/extractive/extract.ts"
import {
  answerable,
  demo,
  indexFolder,
  noPlaceHeld,
  origin,
  type Reply,
  type Site,
} from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 4 A: the route. Part 2 A3: its error object. What a browser needs around both.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

describe("a page of any site", () => {
  test.each([
    [origin, origin],
    ["https://evil.com", "https://evil.com"],
    // Allowed by name, it would be every page without an origin.
    ["null", "*"],
  ])("of %s passes the preflight", async (page, allowed) => {
    const { status, headers } = await site.send({
      method: "OPTIONS",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    })
    expect(status).toBe(204)
    expect(headers.get("access-control-allow-origin")).toBe(allowed)
    expect(headers.get("access-control-allow-methods")).toBe("POST")
    expect(headers.get("access-control-allow-headers")).toBe("content-type")
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0)
  })

  const allowedNames = async (wanted: string, path?: string) => {
    const headers = { origin, "access-control-request-headers": wanted }
    const { headers: reply } = await site.send({ method: "OPTIONS", headers }, path)
    return reply.get("access-control-allow-headers")
  }

  test("may send the headers that its scripts add to every request", async () => {
    const wanted = "baggage, Content-Type,traceparent ,X-Requested-With"
    for (const path of ["/api/v1/ask", "/f/x", "/f/x/start", "/api/v1/projects/x/widget"])
      expect(await allowedNames(wanted, path)).toBe("content-type, baggage, traceparent, x-requested-with")
  })

  test("is allowed names alone, and not more than were read", async () => {
    expect(await allowedNames("x-a, *, (b), x c, é, x-d;e, , x-f\u0022")).toBe("content-type, x-a")
    const many = Array.from({ length: 1000 }, (_, n) => `x-${n}`).join(",")
    expect((await allowedNames(many))?.length).toBeLessThan(2500)
    expect(await allowedNames("x".repeat(101))).toBe("content-type")
    expect(await allowedNames("x-a", "/api/v1/projects")).toBe("content-type")
  })

  const readable = ({ headers }: Reply, page: string) => {
    expect(headers.get("access-control-allow-origin")).toBe(page)
    expect(headers.get("access-control-allow-credentials")).toBeNull()
    expect(headers.get("vary")?.toLowerCase()).toContain("origin")
    expect(headers.get("access-control-expose-headers")).toContain("retry-after")
  }

  test("reads the answer", async () => readable(await site.ask(), origin))

  test("reads the error that it caused", async () => {
    readable(await site.ask({ question: "?" }), origin)
    readable(await site.ask({}, { origin: "https://evil.com" }), "https://evil.com")
    readable(await site.ask({}, { "content-type": "text/plain" }), origin)
    readable(await site.send({ headers: { origin }, body: "x".repeat(40_000) }), origin)
    await using busy = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
      .withIndexedProject()
      .started()
    await busy.ask()
    const refused = await busy.ask()
    expect(refused.status).toBe(429)
    readable(refused, origin)
    await using slow = await aService()
      .withOverrides({ assistant: { answerer: failing } })
      .withIndexedProject()
      .started()
    readable(await slow.ask(), origin)
  })

  test("with a slash after the address, asks as without, and reads the answer and every error", async () => {
    const slashed = (request: Parameters<Site["send"]>[0]) => site.send(request, "/api/v1/ask/")
    const asked = { project: site.project.id, question: answerable }
    const json = { origin, "content-type": "application/json" }
    const answered = await slashed({ headers: json, body: JSON.stringify(asked) })
    expect([answered.status, answered.body.status]).toEqual([200, "answered"])
    readable(answered, origin)
    const refused = await slashed({ headers: json, body: "{}" })
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_request"])
    readable(refused, origin)
    const wrong = await slashed({ method: "GET", headers: { origin } })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"])
    readable(wrong, origin)
    const preflight = await slashed({
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    })
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin])
  })

  test("reads nothing of the management API", async () => {
    const { headers } = await site.send({ method: "GET", headers: { origin } }, "/api/v1/projects")
    expect(headers.get("access-control-allow-origin")).toBeNull()
  })
})

test.each(["GET", "PUT", "PATCH", "DELETE"])(
  "%s is 405, with the error object and what is allowed",
  async (method) => {
    const { status, headers, body } = await site.send({ method, headers: { origin } })
    expect({ status, allow: headers.get("allow"), body }).toEqual({
      status: 405,
      allow: "POST",
      body: { error: { code: "method_not_allowed", message: "Cette URL n’accepte que POST." } },
    })
  },
)

test("every reply has a request id, and the log names it on one line without the question or the visitor", async () => {
  const lines: string[] = []
  const write = process.stderr.write
  await using logging = await aService()
    .withSettings({ GUICHET_LOG_LEVEL: "info" })
    .withIndexedProject()
    .started()
  process.stderr.write = (line: string | Uint8Array) => lines.push(String(line)) > 0
  try {
    const visitor = { "x-forwarded-for": "198.51.100.7" }
    const secret = "Où se trouve Nabuchodonosor ?"
    const replies = [
      await logging.ask({}, visitor),
      await logging.ask({ question: secret }, visitor),
      await logging.ask({ question: secret, project: "a".repeat(16) }, visitor),
      await logging.ask({ question: secret, page: "Nabuchodonosor" }, visitor),
    ]
    for (const { headers } of replies) {
      const id = headers.get("x-request-id") as string
      expect(id).toMatch(/^[\w-]{12}$/)
      expect(lines.filter((line) => line.includes(id))).toHaveLength(1)
    }
    expect(lines).toHaveLength(4)
    expect(lines.join()).not.toMatch(/Nabuchodonosor|signature|198\.51/)
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      message: "question answered",
      project: logging.project.id,
      status: "answered",
      cached: false,
      ms: expect.any(Number),
    })
    expect(JSON.parse(lines[2] as string)).toMatchObject({ code: "project_not_found" })
  } finally {
    process.stderr.write = write
  }
})

describe("503 unavailable", () => {
  const unavailable = { code: "unavailable", message: expect.stringContaining("ne répond pas") }

  test("when the answerer fails, whatever it throws, with Retry-After", async () => {
    await using other = await aService()
      .withOverrides({ assistant: { answerer: failing } })
      .withIndexedProject()
      .started()
    const { status, headers, body } = await other.ask()
    expect({ status, ...body }).toEqual({ status: 503, error: unavailable })
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(JSON.stringify(body)).not.toContain("quoted")
    expect(await other.service.app.db.selectFrom("answer").selectAll().execute()).toEqual([])
  })

  test("when the index fails", async () => {
    const index = { language: "fr" } as never
    await using other = await aService()
      .withOverrides({ assistant: { liveIndex: async () => ({ generation: 1, index }) } })
      .withIndexedProject()
      .started()
    const { status, body } = await other.ask()
    expect({ status, ...body }).toEqual({ status: 503, error: unavailable })
  })

  test("when the answerer stalls: in bounded time, and its place is given back", async () => {
    const answer: Answerer["answer"] = async function* () {
      await new Promise(() => {})
      yield* []
    }
    const assistant = { answerer: { version: "stalled", answer }, answerTimeoutMs: 20 }
    await using other = await aService().withOverrides({ assistant }).withIndexedProject().started()
    const { status, headers, body } = await other.ask()
    expect({ status, ...body }).toEqual({ status: 503, error: unavailable })
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    await noPlaceHeld(other)
  })

  test("the log does not quote what an unexpected error says", async () => {
    const lines: string[] = []
    const write = process.stderr.write
    await using other = await aService()
      .withOverrides({ assistant: { answerer: failing } })
      .withIndexedProject()
      .started()
    process.stderr.write = (line: string | Uint8Array) => lines.push(String(line)) > 0
    await other.ask().finally(() => {
      process.stderr.write = write
    })
    expect(lines.join()).toContain('"code":"unavailable"')
    expect(lines.join()).not.toContain("quoted")
  })
})

test("409 not_indexed while the site is not indexed, and no longer once it is", async () => {
  await using other = await aService().withIndexedProject().started()
  const { app } = other.service
  const added = await insertProject(
    app.db,
    other.project.workspaceId,
    { name: "Neuf", site: origin },
    other.clock.now(),
  )
  const { status, body } = await other.ask({ project: added.id })
  expect({ status, ...body }).toEqual({
    status: 409,
    error: { code: "not_indexed", message: expect.stringContaining("pas encore indexée") },
  })
  await indexFolder(app, added, demo)
  expect((await other.ask({ project: added.id })).status).toBe(200)
})

test("404 project_not_found for an identifier that no project has", async () => {
  const { status, body } = await site.ask({ project: "a".repeat(16) })
  expect({ status, ...body }).toEqual({
    status: 404,
    error: { code: "project_not_found", message: "Aucun projet ne porte cet identifiant." },
  })
})

test("a visitor who goes away stops the answerer, and the place is given back", async () => {
  const started = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const answer: Answerer["answer"] = async function* (_, signal) {
    started.resolve()
    await new Promise((resolve) => signal.addEventListener("abort", resolve))
    stopped.resolve()
    yield* []
  }
  await using other = await aService()
    .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
    .withOverrides({ assistant: { answerer: { version: "slow", answer } } })
    .withIndexedProject()
    .started()
  const page = new AbortController()
  const asked = fetch(`${other.service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ project: other.project.id, question: answerable }),
    signal: page.signal,
  }).catch(() => "gone")
  await started.promise
  page.abort()
  await stopped.promise
  expect(await asked).toBe("gone")
  await noPlaceHeld(other)
})

test("a question of a project that is removed meanwhile is 404, not trouble of ours", async () => {
  const started = Promise.withResolvers<void>()
  const removed = Promise.withResolvers<void>()
  const { answer: answered } = extractive
  const answer: Answerer["answer"] = async function* (asked, signal) {
    started.resolve()
    await removed.promise
    yield* answered(asked, signal)
  }
  await using other = await aService()
    .withOverrides({ assistant: { answerer: { version: "slow", answer } } })
    .withIndexedProject()
    .started()
  const asked = other.ask()
  await started.promise
  await other.service.app.removeProject(other.project.id)
  removed.resolve()
  const { status, body } = await asked
  expect([status, body.error.code]).toEqual([404, "project_not_found"])
})

const failing: Answerer = {
  version: "failing",
  // biome-ignore lint/correctness/useYield: it fails before it answers
  async *answer() {
    throw new Error("the question quoted in a message")
  },
}
