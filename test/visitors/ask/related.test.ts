import { afterAll, beforeAll, expect, test } from "bun:test"
import { maxExcerptCharacters } from "../../../src/answering/ask/next-pages.ts"
import { relatedPages, type Unsure } from "../../../src/answering/ask/related.ts"
import { purgeAnswers } from "../../../src/answering/ask/store-answer.ts"
import { extract } from "../../../src/answering/extractive/extract.ts"
import type { QuoteSignals } from "../../../src/answering/retrieval/quote-signals.ts"
import type { FoundPassage } from "../../../src/answering/retrieval/retrieve.ts"
import { leastThreshold } from "../../../src/answering/retrieval/thresholds.ts"
import { dayMs } from "../../../src/base/clock.ts"
import { foreign, origin, type Reply, type Site } from "../../support/ask.ts"
import { passage } from "../../support/passages.ts"
import { aService } from "../../support/service-builder.ts"

// POST /api/v1/answers/:id/related: passages that may help, stored with an answer that refuses.

/** Near the documentation, which does not say it. */
const near = "Peut-on payer en ligne dans un formulaire ?"

let site: Site
let id: string
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  const { body } = await site.ask({ question: near })
  expect(body).toMatchObject({ status: "no_answer", sources: [] })
  expect(Object.keys(body)).toEqual(["id", "status", "answer", "sources"])
  id = body.id
})
afterAll(() => site[Symbol.asyncDispose]())

const related = (answer: string, init: RequestInit = { headers: { origin } }): Promise<Reply> =>
  site.send(init, `/api/v1/answers/${answer}/related`)

test("a question near the documentation gets up to three pages, the first sections of different ones", async () => {
  const { status, headers, body } = await related(id)
  expect(status).toBe(200)
  expect(headers.get("cache-control")).toBe("no-store")
  expect(Object.keys(body)).toEqual(["items"])
  expect(body.items.length).toBeWithin(1, 4)
  for (const page of body.items) {
    expect(Object.keys(page)).toEqual(["title", "section", "url", "excerpt"])
    expect(page.title).toBeString()
    expect(page.excerpt.length).toBeWithin(20, maxExcerptCharacters + 1)
    expect(new URL(page.url).origin).toBe(origin)
  }
  expect(body.items[0].excerpt).toMatch(/formulaire|paye/)
  expect(body.items.map(({ title }: { title: string }) => title)).toContain(
    "Recevoir les messages d’un formulaire",
  )
})

test("nonsense and a foreign question get none", async () => {
  for (const question of ["zglorb frtwz", foreign]) {
    const { body } = await site.ask({ question })
    expect(await related(body.id)).toMatchObject({ status: 200, body: { items: [] } })
  }
})

test("an equal question that is answered from before has the same pages", async () => {
  const { body } = await site.ask({ question: near })
  expect(body.id).not.toBe(id)
  expect((await related(body.id)).body).toEqual((await related(id)).body)
})

test("it is a lookup: nothing is counted, searched or stored", async () => {
  const { db } = site.service.app
  const before = await db.selectFrom("answer").selectAll().orderBy("id").execute()
  const counted = await db.selectFrom("limit_count").selectAll().execute()
  await related(id)
  expect(await db.selectFrom("answer").selectAll().orderBy("id").execute()).toEqual(before)
  expect(await db.selectFrom("limit_count").selectAll().execute()).toEqual(counted)
})

test("an unknown answer is 404", async () => {
  expect(await related("ans_unknown")).toMatchObject({
    status: 404,
    body: { error: { code: "not_found", message: "Aucune réponse ne porte cet identifiant." } },
  })
})

test("an origin that is not declared for the answer's project is refused", async () => {
  for (const headers of [{ origin: "https://evil.com" }, { origin: "null" }, {}] as Record<string, string>[])
    expect(await related(id, { headers })).toMatchObject({
      status: 403,
      body: { error: { code: "origin_not_allowed" } },
    })
})

test("a page may read the reply; a body is ignored, a large one refused", async () => {
  const headers = { origin, "content-type": "application/json" }
  const reply = await related(id, { headers, body: "{}" })
  expect(reply.status).toBe(200)
  expect(reply.headers.get("access-control-allow-origin")).toBe(origin)
  expect((await related(id, { headers, body: "x".repeat(5000) })).status).toBe(400)
})

test("the pages are purged with the answer", async () => {
  await using own = await aService().withIndexedProject().started()
  const { body } = await own.ask({ question: near })
  await purgeAnswers(own.service.app.db, 1, own.clock.now() + 2 * dayMs)
  const reply = await own.send({ headers: { origin } }, `/api/v1/answers/${body.id}/related`)
  expect(reply.status).toBe(404)
})

const ranked = (...passages: [document: string, section: string, score: number][]): FoundPassage[] =>
  passages.map(([document, section, score]) => ({
    passage: passage(document, document, "…", [section]),
    row: 0,
    score,
    words: score,
    meaning: undefined,
  }))
const offered = (retrieval: Unsure["retrieval"], typical?: number, more: Partial<Unsure> = {}) =>
  relatedPages({ retrieval, quoted: [], linesOf: () => undefined, ...more }, "fr", typical)
const decision = { answerable: false, confidence: 0.3, isNear: false }
const byWords = { ranked: [], decision, byWords: decision, quoteSignals: undefined }

test("one section of each page comes first, then more sections; far weaker passages are left out", () => {
  const sections = (list: FoundPassage[]) =>
    offered({ ...byWords, ranked: list }).map(({ section }) => section)
  expect(
    sections(ranked(["a", "1", 10], ["a", "2", 9], ["b", "3", 8], ["c", "4", 7], ["d", "5", 6])),
  ).toEqual(["1", "3", "4"])
  expect(sections(ranked(["a", "1", 10], ["a", "2", 9], ["b", "3", 8]))).toEqual(["1", "3", "2"])
  expect(sections(ranked(["a", "1", 10], ["b", "2", 4]))).toEqual(["1"])
})

test("words below the floor show nothing, unless the nearest passage is as near as others are to each other", () => {
  const unsure = { ...decision, confidence: 0.01 }
  const weak = { ...byWords, decision: unsure, byWords: unsure }
  const [found] = ranked(["a", "1", 10]) as [FoundPassage]
  const pages = (meaning: number | undefined) => offered({ ...weak, ranked: [{ ...found, meaning }] }, 0.8)
  expect(pages(undefined)).toEqual([])
  expect(pages(0.79)).toEqual([])
  expect(pages(0.81)).toHaveLength(1)
})

test("with vectors, words and quotation have to agree a little", () => {
  const judged = (own: number, words: number) => ({
    ranked: ranked(["a", "1", 10]),
    decision: { ...decision, confidence: own },
    byWords: { ...decision, confidence: words },
    quoteSignals: {} as QuoteSignals,
  })
  expect(offered(judged(0.4, 0.4))).toHaveLength(1)
  const little = 0.8 * leastThreshold
  expect(offered(judged(little, 0.05))).toEqual([])
  expect(offered(judged(0.05, 0.4))).toEqual([])
  // What a bolder project would have been told is offered in any case.
  expect(offered(judged(leastThreshold, 0.05))).toHaveLength(1)
})

test("a post is named with its day", () => {
  const [found] = ranked(["Fête", "Le bal", 10]) as [FoundPassage]
  const post = { ...found, passage: { ...found.passage, published: "2024-06-02" } }
  expect(offered({ ...byWords, ranked: [post] })[0]?.title).toBe("Fête (2 juin 2024)")
})

test("of short sections that are read as one, the nearest to the question is named, with its own address", () => {
  const [found] = ranked(["a", "Déchets", 10]) as [FoundPassage]
  const markdown = "**Les sacs**\n\nEn mairie.\n\n**Le bac**\n\nÀ la déchèterie."
  const sections = ["Les sacs", "Le bac"].map((heading) => ({
    from: markdown.indexOf(`**${heading}`),
    heading,
    url: `https://docs.exemple.fr/a#${heading.slice(3)}`,
  }))
  const joined = { ...found, passage: { ...found.passage, markdown, sections } }
  const sectionFor = (unitNearness: number[]) => {
    const ranked = [{ ...joined, unitNearness }]
    const question = { question: "Où est le bac ?", language: "fr", terms: [], words: [] } as const
    return offered({ ...byWords, ranked }, undefined, extract({ ...question, found: ranked }))[0]
  }
  expect(sectionFor([0.1, 0.9, 0.2, 0.3])).toMatchObject({ section: "Les sacs", url: sections[0]?.url })
  expect(sectionFor([0.1, 0.2, 0.2, 0.9])).toMatchObject({
    section: "Le bac",
    url: sections[1]?.url,
    excerpt: "À la déchèterie.",
  })
})

const places = (texts: Record<string, string>) => {
  const found = Object.entries(texts).map(([document, markdown]) => ({
    ...(ranked([document, document, 10])[0] as FoundPassage),
    passage: passage(document, document, markdown),
  }))
  const linesOf: Unsure["linesOf"] = (one) => ({ passages: [one], markdown: one.markdown, at: 0 })
  return { retrieval: { ...byWords, ranked: found }, linesOf }
}

test("what would have been quoted comes first, in its own lines, and no text twice", () => {
  const { retrieval, linesOf } = places({
    a: "Le bac se trouve derrière la mairie, près du parking.",
    b: "Le bac se trouve derrière la mairie, près du parking\u202f!",
    c: "La déchèterie ouvre le samedi matin toute l’année.",
  })
  const [, , last] = retrieval.ranked as [FoundPassage, FoundPassage, FoundPassage]
  const quoted = [{ passages: [last.passage], markdown: "La déchèterie ouvre le samedi.", at: 0 }]
  const pages = offered(retrieval, undefined, { linesOf, quoted })
  expect(pages.map(({ title }) => title)).toEqual(["c", "a"])
  expect(pages[0]?.excerpt).toBe("La déchèterie ouvre le samedi.")
})

test("of a long quotation the part that says most is shown", () => {
  const { retrieval } = places({ a: "Le bac." })
  const [{ passage: long }] = retrieval.ranked as [FoundPassage]
  const quoted = [{ passages: [long], markdown: "Le bac est plein. ".repeat(40), at: 0 }]
  const lines = { passages: [long] as [typeof long], markdown: "Le bac est plein.", at: 0 }
  expect(offered(retrieval, undefined, { quoted, linesOf: () => lines })[0]?.excerpt).toBe(lines.markdown)
  const [page] = offered(retrieval, undefined, { quoted, linesOf: () => undefined })
  expect(page?.excerpt?.length).toBeWithin(300, maxExcerptCharacters + 1)
})

test("a list of posts or tags is not offered", () => {
  const link = (name: string) => `[${name}](https://docs.exemple.fr/${name})`
  const { retrieval, linesOf } = places({
    tags: `- ${["fete", "marche", "ecole"].map(link).join("\n- ")}`,
    guide: `Le bac se demande ${link("ici")}, ${link("la")} ou ${link("ailleurs")}, avec un justificatif.`,
  })
  expect(offered(retrieval, undefined, { linesOf }).map(({ title }) => title)).toEqual(["guide"])
})
