import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Answerer } from "../../../src/answering/answerer.ts"
import { answerable, foreign, noPlaceHeld, origin, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// A client that accepts events gets the sentences as they come, and then the same reply as everybody.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

interface Event {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  data: any
}

const accept = { accept: "text/event-stream, application/json" }

function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      return { event, data: JSON.parse(data) }
    })
}

test("the sentences come with their markers and sources, then the whole ask response", async () => {
  const { status, headers, body } = await site.ask({}, accept)
  expect({ status, type: headers.get("content-type") }).toEqual({
    status: 200,
    type: "text/event-stream; charset=utf-8",
  })
  expect(headers.get("access-control-allow-origin")).toBe(origin)
  const events = eventsOf(body)
  const { data: answer } = events.pop() as Event
  expect(answer).toMatchObject({ status: "answered", id: expect.stringMatching(/^ans_/) })
  expect(events.length).toBeGreaterThan(0)
  for (const { event, data } of events) {
    expect(event).toBe("sentence")
    expect(answer.answer).toContain(data.text)
    for (const source of data.sources) {
      expect(data.text).toContain(`[^${source.n}]`)
      expect(answer.sources).toContainEqual(source)
    }
  }
  const { body: whole } = await site.ask()
  expect({ ...whole, id: "" }).toEqual({ ...answer, id: "" })
})

test("a refusal to answer, and an answer from the cache, are one event", async () => {
  expect(eventsOf((await site.ask({ question: foreign }, accept)).body).map(({ event }) => event)).toEqual([
    "answer",
  ])
  await site.ask()
  expect(eventsOf((await site.ask({}, accept)).body).map(({ event }) => event)).toEqual(["answer"])
})

test("the question counts, and its answer is kept", async () => {
  await using other = await aService()
    .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
    .withIndexedProject()
    .started()
  const [{ data } = { data: {} }] = eventsOf((await other.ask({}, accept)).body).slice(-1)
  const { db } = other.service.app
  expect(await db.selectFrom("answer").select("id").execute()).toEqual([{ id: data.id }])
  expect((await other.ask({}, accept)).status).toBe(429)
})

test("what is refused before it is let in has its status and the error object", async () => {
  const { status, headers, body } = await site.ask({}, { ...accept, origin: "https://evil.com" })
  expect({ status, type: headers.get("content-type"), code: body.error.code }).toEqual({
    status: 403,
    type: expect.stringContaining("application/json"),
    code: "origin_not_allowed",
  })
})

test("a failure in mid-answer is the last event, and counts nowhere", async () => {
  const failing: Answerer = {
    version: "failing",
    async *answer({ passages }) {
      yield { markdown: "Une phrase.", passages: passages.slice(0, 1) }
      throw new Error("the question quoted in a message")
    },
  }
  await using other = await aService()
    .withOverrides({ assistant: { answerer: failing } })
    .withIndexedProject()
    .started()
  const { status, body } = await other.ask({}, accept)
  expect(status).toBe(200)
  const events = eventsOf(body)
  expect(events.map(({ event }) => event)).toEqual(["sentence", "error"])
  expect(events[1]?.data).toEqual({
    error: { code: "unavailable", message: expect.stringContaining("ne répond pas") },
  })
  expect(body).not.toContain("quoted")
  const { db } = other.service.app
  expect(await db.selectFrom("answer").selectAll().execute()).toEqual([])
  await noPlaceHeld(other)
})

test("a sentence is sent before the next is known; a reader who leaves stops the answerer, and the question counts", async () => {
  const left = Promise.withResolvers<void>()
  const slow: Answerer = {
    version: "slow",
    async *answer({ passages }, signal) {
      yield { markdown: "Une phrase.", passages: passages.slice(0, 1) }
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      left.resolve()
    },
  }
  await using other = await aService()
    .withOverrides({ assistant: { answerer: slow } })
    .withIndexedProject()
    .started()
  const page = new AbortController()
  const response = await fetch(`${other.service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, ...accept },
    body: JSON.stringify({ project: other.project.id, question: answerable }),
    signal: page.signal,
  })
  const { value } = await (response.body as ReadableStream<Uint8Array>).getReader().read()
  expect(new TextDecoder().decode(value)).toStartWith("event: sentence\n")
  page.abort()
  await left.promise
  const { db } = other.service.app
  const counts = () => db.selectFrom("limit_count").select("used").execute()
  while ((await counts()).length === 0) await Bun.sleep(1)
  expect(await counts()).toEqual([{ used: 1 }, { used: 1 }, { used: 1 }, { used: 1 }])
  expect(await db.selectFrom("answer").selectAll().execute()).toEqual([])
})

test.each(["*/*", "application/json", "text/event-stream;q=0", "text/html"])(
  "Accept: %s gets JSON",
  async (accept) => {
    expect((await site.ask({}, { accept })).headers.get("content-type")).toContain("application/json")
  },
)
