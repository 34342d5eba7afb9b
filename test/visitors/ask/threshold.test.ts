import { afterAll, beforeAll, expect, test } from "bun:test"
import { answerDepsFor, answerQuestion } from "../../../src/answering/ask/answer.ts"
import { askedEdition } from "../../../src/answering/editions/edition-index.ts"
import { thresholds } from "../../../src/answering/retrieval/thresholds.ts"
import type { LiveIndex } from "../../../src/indexing/live-index.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { answerable, foreign, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// How sure an answer has to be is the owner's choice; below that, the same lines are offered.

let site: Site
let api: Api
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
})
afterAll(() => site[Symbol.asyncDispose]())

const project = () => `/api/v1/projects/${site.project.id}`
const stored = async (id: string) => (await api.get(`${project()}/answers/${id}`)).body

/** Questions that the documentation answers less and less surely. */
const questions = [
  answerable,
  "Comment imprimer les réponses d’un formulaire ?",
  "Peut-on recevoir les réponses par SMS ?",
  "Le widget fonctionne-t-il dans une application ?",
  "Puis-je fusionner deux formulaires ?",
  "Comment traduire un formulaire en breton ?",
  foreign,
]

test("each word answers what is at least as sure as it says, and the next question follows a change", async () => {
  const answeredBy: Record<string, number> = {}
  for (const [word, least] of Object.entries(thresholds)) {
    await api.patch(project(), { answer_threshold: word })
    answeredBy[word] = 0
    for (const question of questions) {
      const { body } = await site.ask({ question })
      const { confidence, reasons } = await stored(body.id)
      // Lines that show a marker of our own cannot be quoted, however sure they are.
      const isCited = !reasons.some(({ code }: { code: string }) => code === "uncited")
      expect([word, question, body.status]).toEqual([
        word,
        question,
        confidence >= least && isCited ? "answered" : "no_answer",
      ])
      if (body.status === "answered") answeredBy[word]++
      else expect(body.sources).toEqual([])
    }
  }
  expect(answeredBy["prudent"]).toBeLessThanOrEqual(answeredBy["balanced"] as number)
  expect(answeredBy["balanced"]).toBeLessThanOrEqual(answeredBy["talkative"] as number)
  expect(answeredBy["prudent"]).toBeGreaterThan(0)
})

test("what is not sure enough to be said is offered first, in the lines that would have been said", async () => {
  const { assistant } = site.service.app
  const { body: said } = await site.ask()
  expect(said.status).toBe("answered")
  const live = (await assistant.liveIndex(site.project.id)) as LiveIndex
  const edition = await askedEdition(live.index, site.project, {})
  const request = { question: answerable, previous: [], language: "fr" as const, page: undefined }
  const surest = { ...answerDepsFor(assistant, site.project), threshold: 1.01 }
  const { signal } = new AbortController()
  const { result } = await answerQuestion(surest, edition, request, signal)
  expect(result).toMatchObject({ status: "no_answer", sources: [] })
  const [first] = result.related ?? []
  expect(first?.url).toBe(said.sources[0].url)
  const lines = (first?.excerpt ?? "").split("\n").filter((line) => line.trim() !== "")
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(said.answer).toContain(line.replace(/…$/, ""))
})

test("an answer that was kept while a word meant another number is not given again", async () => {
  const numbers = thresholds as Record<keyof typeof thresholds, number>
  const { prudent } = numbers
  await api.patch(project(), { answer_threshold: "prudent" })
  expect((await site.ask()).body.status).toBe("answered")
  try {
    numbers.prudent = 1.01
    expect((await site.ask()).body.status).toBe("no_answer")
  } finally {
    numbers.prudent = prudent
  }
  expect((await site.ask()).body.status).toBe("answered")
})

test("a greeting and the owner's own answer have no confidence", async () => {
  const question = "Quel est le numéro du standard ?"
  const chosen = { questions: [question], answer: "Le 01 00 00 00 00.", sources: [] }
  expect((await api.post(`${project()}/chosen-answers`, chosen)).status).toBe(201)
  for (const each of ["Bonjour", question])
    expect((await stored((await site.ask({ question: each })).body.id)).confidence).toBeNull()
})

test("another word is refused", async () => {
  expect(await api.patch(project(), { answer_threshold: "loud" })).toMatchObject({ status: 400 })
})
