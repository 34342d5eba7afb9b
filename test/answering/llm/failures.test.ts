import { describe, expect, test } from "bun:test"
import type { ModelLimits } from "../../../src/answering/llm/limits.ts"
import { noPlaceHeld, origin } from "../../support/ask.ts"
import { type Behaviour, cut, honest, type Reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import type { ModelSite } from "../../support/models/site.ts"
import { aService } from "../../support/service-builder.ts"

// Every failure of a model is a 503 in French that counts against no limit, and one log line says what the
// owner can do.

const question = "Comment vérifier la signature Nabuchodonosor d’un webhook ?"
const writes = (reply: Reply): Behaviour => ({ ...honest, write: () => reply })
const whole = JSON.stringify({
  answerable: true,
  sentences: [
    { text: "Calculez la signature avec le secret de votre endpoint.", sources: [1] },
    { text: "Comparez-la.", sources: [1] },
  ],
})

const cases: [what: string, behaviour: Behaviour, kind: string, advice: string][] = [
  ["a blocked prompt", writes({ blocked: "SAFETY" }), "blocked", "safety filter"],
  [
    "an answer stopped for safety",
    writes({ pieces: cut(whole), finish: "SAFETY" }),
    "blocked",
    "safety filter",
  ],
  ["no candidates", writes({ pieces: [], finish: null }), "empty", "no answer at all"],
  ["an empty answer", writes({ pieces: [] }), "empty", "no answer at all"],
  [
    "output cut at its limit",
    writes({ pieces: cut(whole).slice(0, 8), finish: "MAX_TOKENS" }),
    "truncated",
    "output limit",
  ],
  [
    "a stream that just ends",
    writes({ pieces: cut(whole).slice(0, 8), finish: null }),
    "cut_off",
    "connection ended",
  ],
  [
    "a wrong schema",
    writes({ pieces: cut('{"reply":"Nabuchodonosor"}') }),
    "wrong_schema",
    "structured output",
  ],
  [
    "sentences of a wrong schema",
    writes({ pieces: cut('{"answerable":true,"sentences":["Calculez."]}') }),
    "wrong_schema",
    "structured output",
  ],
  ["invalid JSON", writes({ pieces: cut("Calculez Nabuchodonosor.") }), "not_json", "structured output"],
  ["events that are no JSON", writes({ raw: "data: {Nabuchodonosor\n\n" }), "garbled", "base url"],
  ["a refused key", writes({ status: 403 }), "key", "check that it is whole"],
  ["a limit of the provider", writes({ status: 429 }), "limited", "quota"],
  ["a failing server", writes({ status: 503 }), "server", "status page"],
  ["a refused request", writes({ status: 400 }), "refused", "JSON schema"],
  [
    "a redirect",
    writes({ status: 302, headers: { location: "https://evil.com/" } }),
    "address",
    "final address",
  ],
]

/** Replies that exceed one limit, the only one that is set low. */
const bounded: [what: string, reply: Reply, limit: Partial<ModelLimits>, kind: string, advice: string][] = [
  ["a model that says nothing", { silent: true }, { firstPieceMs: 50 }, "silent", "smaller or nearer"],
  [
    "a stall in mid-answer",
    { pieces: cut(whole).slice(0, 8), stall: true },
    { pauseMs: 50 },
    "stalled",
    "status page",
  ],
  ["an answer that comes too slowly", { pieces: [" "], stall: true }, { answerMs: 500 }, "slow", "faster"],
  ["50 MB of one event", { bytes: 50_000_000 }, {}, "too_large", "another model"],
  ["50 MB of answer", { pieces: Array(50).fill("x".repeat(1_000_000)) }, {}, "too_large", "another model"],
]

describe.each(providers)("%s", (provider) => {
  // A service each: the log sums up equal lines of one service.
  test.each(cases)("%s", async (_, behaviour, kind, advice) => {
    await using site = await aService().withModel(provider, honest, { outagesToOpen: 1000 }).started()
    site.server.behaviour = behaviour
    await expectUnavailable(site, kind, advice)
  })

  test.each(bounded)("%s", async (_, reply, limit, kind, advice) => {
    await using site = await aService().withModel(provider, writes(reply), limit).started()
    await expectUnavailable(site, kind, advice)
  })

  test("a connection that breaks in mid-answer", async () => {
    const begun = writes({ pieces: cut(whole.slice(0, -20)), stall: true })
    await using broken = await aService().withModel(provider, begun).started()
    const response = await fetch(`${broken.service.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", origin },
      body: JSON.stringify({ project: broken.project.id, question }),
    })
    let text = ""
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes)
      if (!text.includes("event: error")) await broken.server[Symbol.asyncDispose]()
    }
    expect(text).toMatch(/^event: sentence\n.*\n\nevent: error\n.*"unavailable"/)
    const refused = broken.log.find(({ message }) => message === "question refused")
    expect(refused?.reason).toStartWith("language model: cut_off")
  })

  test("an invalid key", async () => {
    const wrong = { GEMINI_API_KEY: "wrong", GUICHET_OPENAI_API_KEY: "wrong" }
    await using site = await aService().withSettings(wrong).withModel(provider, honest).started()
    await expectUnavailable(site, "key", "check that it is whole")
  })

  test("a model that does not exist", async () => {
    const wrong = { GUICHET_GEMINI_MODEL: "none", GUICHET_OPENAI_MODEL: "none" }
    await using site = await aService().withSettings(wrong).withModel(provider, honest).started()
    await expectUnavailable(site, "model", "check the names")
  })

  test("a server that is not there", async () => {
    await using site = await aService().withModel(provider).started()
    await site.server[Symbol.asyncDispose]()
    await expectUnavailable(site, "unreachable", "check the base url")
  })
})

test("a recitation", async () => {
  await using site = await aService()
    .withModel("gemini", writes({ pieces: cut(whole), finish: "RECITATION" }))
    .started()
  await expectUnavailable(site, "recitation", "quoting too much")
})

test("an answer that never ends", async () => {
  const endless = writes({ pieces: cut(`{"answerable":true,"sentences":[${" ".repeat(70_000)}`, 2000) })
  await using site = await aService().withModel("openai", endless).started()
  await expectUnavailable(site, "too_large", "another model")
})

async function expectUnavailable(site: ModelSite, kind: string, advice: string): Promise<void> {
  site.log.length = 0
  const { status, headers, body } = await site.ask({ question })
  expect({ status, body }).toEqual({
    status: 503,
    body: { error: { code: "unavailable", message: expect.stringContaining("ne répond pas") } },
  })
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  expect(headers.get("access-control-allow-origin")).toBe(origin)
  const { db } = site.service.app
  expect(await db.selectFrom("answer").selectAll().execute()).toEqual([])
  await noPlaceHeld(site)
  expect(await db.selectFrom("limit_count").selectAll().execute()).toEqual([])
  const refused = site.log.find(({ message }) => message === "question refused")
  expect(refused?.reason).toStartWith(`language model: ${kind}`)
  expect(refused?.reason).toContain(advice)
  expect(JSON.stringify(site.log)).not.toMatch(/Nabuchodonosor|evil\.com|test-key/)
}
