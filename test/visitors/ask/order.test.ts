import { expect, test } from "bun:test"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import type { LiveIndex } from "../../../src/indexing/live-index.ts"
import type { Reply, Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// When two things are wrong, which error a caller sees. Each test breaks two neighbouring rules.

const json = { "content-type": "application/json" }
const unknown = "a".repeat(16)
const elsewhere = { origin: "https://evil.com" }

function says({ status, body }: Reply) {
  return [status, body.error?.code]
}

test("a body that is not sent as JSON comes before one that is too large", async () => {
  await using site = await aService().withIndexedProject().started()
  const { body } = await site.send({ headers: { "content-type": "text/plain" }, body: "x".repeat(32_769) })
  expect(body.error.message).toContain("format JSON")
})

test("too large comes before unreadable", async () => {
  await using site = await aService().withIndexedProject().started()
  const { body } = await site.send({ headers: json, body: "x".repeat(32_769) })
  expect(body.error.message).toContain("32\u00a0Ko")
})

test("the first wrong field, in the order of the specification's table, is the one named", async () => {
  await using site = await aService().withIndexedProject().started()
  const wrong = { project: "x", question: "x", page: "x", previous: "x" }
  const sentences = [/projet/, /question/, /page/, /précédentes/]
  for (const [place, field] of Object.keys(wrong).entries()) {
    const fields = Object.fromEntries(Object.entries(wrong).slice(place))
    expect((await site.ask(fields)).body.error.message, field).toMatch(sentences[place] as RegExp)
  }
})

test("invalid_request comes before project_not_found", async () => {
  await using site = await aService().withIndexedProject().started()
  expect(says(await site.ask({ project: unknown, question: "?" }))).toEqual([400, "invalid_request"])
})

test("project_not_found comes before origin_not_allowed", async () => {
  await using site = await aService().withIndexedProject().started()
  expect(says(await site.ask({ project: unknown }, elsewhere))).toEqual([404, "project_not_found"])
})

test("origin_not_allowed comes before assistant_disabled", async () => {
  await using site = await aService().withIndexedProject({ assistant_enabled: false }).started()
  expect(says(await site.ask({}, elsewhere))).toEqual([403, "origin_not_allowed"])
})

test("assistant_disabled comes before not_indexed", async () => {
  await using site = await aService()
    .withOverrides(unindexed())
    .withIndexedProject({ assistant_enabled: false })
    .started()
  expect(says(await site.ask())).toEqual([403, "assistant_disabled"])
})

test("not_indexed comes before rate_limited", async () => {
  await using site = await aService().withSettings(one("PER_MINUTE")).withIndexedProject().started()
  await used(site)
  const { liveIndex } = site.service.app.assistant
  site.service.app.assistant.liveIndex = async () => undefined
  expect(says(await site.ask())).toEqual([409, "not_indexed"])
  site.service.app.assistant.liveIndex = liveIndex
  expect(says(await site.ask())).toEqual([429, "rate_limited"])
})

test("the limit of the minute comes before the visitor's of the day", async () => {
  await using site = await aService()
    .withSettings(one("PER_MINUTE", "PER_VISITOR_DAY"))
    .withIndexedProject()
    .started()
  await used(site)
  expect((await site.ask()).body.error.message).toMatch(/dans 60 secondes/)
  site.clock.move(60_000)
  expect((await site.ask()).body.error.message).toMatch(/Vous avez atteint/)
})

test("the visitor's limit of the day comes before the documentation's", async () => {
  await using site = await aService()
    .withSettings(one("PER_VISITOR_DAY", "PER_PROJECT_DAY"))
    .withIndexedProject()
    .started()
  await used(site)
  expect((await site.ask()).body.error.message).toMatch(/Vous avez atteint/)
  expect((await site.ask({}, { "x-forwarded-for": "198.51.100.7" })).body.error.message).toMatch(
    /Cette documentation a reçu/,
  )
})

test("rate_limited comes before quota_exceeded", async () => {
  await using site = await aService()
    .withSettings(one("PER_PROJECT_DAY", "PER_ORGANISATION_MONTH"))
    .withIndexedProject()
    .started()
  await used(site)
  expect(says(await site.ask())).toEqual([429, "rate_limited"])
  await applyProjectChange(site.service.app.db, site.project.id, { per_day: 10 })
  expect(says(await site.ask())).toEqual([429, "quota_exceeded"])
})

test("quota_exceeded comes before unavailable", async () => {
  await using site = await aService()
    .withSettings(one("PER_ORGANISATION_MONTH"))
    .withIndexedProject()
    .started()
  await used(site)
  site.service.app.assistant.liveIndex = async () => broken
  expect(says(await site.ask())).toEqual([429, "quota_exceeded"])
  site.clock.move(31 * 24 * 3_600_000)
  expect(says(await site.ask())).toEqual([503, "unavailable"])
})

/** Settings that allow a single question in each of these limits. */
function one(...limits: string[]): Record<string, string> {
  return Object.fromEntries(limits.map((limit) => [`GUICHET_ASK_${limit}`, "1"]))
}

async function used(site: Site): Promise<void> {
  expect((await site.ask()).status).toBe(200)
}

function unindexed() {
  return { assistant: { liveIndex: async () => undefined } }
}

const broken = { generation: 9, index: { language: "fr" } } as LiveIndex
