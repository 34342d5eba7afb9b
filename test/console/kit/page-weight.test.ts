import { afterAll, beforeAll, expect, test } from "bun:test"
import { maxTokens } from "../../../src/accounts/token.ts"
import { keepAnswer } from "../../../src/assistant/ask/keep.ts"
import { chosenLimits } from "../../../src/assistant/chosen/chosen-answer.ts"
import { type Api, apiOf } from "../../support/api.ts"
import type { Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// Issue K: pages stay under 100 kB of HTML before compression at 500 rows' worth of data, or at all that may be kept.

const maxBytes = 100_000
const rows = 500

let site: Site
let client: ConsoleClient
let api: Api
let questions: string

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  client = await signedIn(site.service)
  api = await apiOf(site.service)
  questions = `/console/projects/${site.project.id}/questions`
})
afterAll(() => site[Symbol.asyncDispose]())

/** A word that no other number has, and that no other resembles. */
function wordOf(number: number): string {
  const syllables = ["ba", "cho", "di", "fu", "gra", "lo", "mi", "nu", "pra", "so"]
  const digits = [...String(number).padStart(3, "0")].map(Number)
  return `${digits.map((digit) => syllables[digit]).join("")}tel`
}

const questionOf = (number: number) =>
  `Comment installer un ${wordOf(number)} dans le bureau d’une petite association ?`

/** Every page of the list, from the first one on, by its links; each is light. */
async function pagesOf(path: string): Promise<string[]> {
  const pages: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text } = await client.get(next)
    expect([next, status]).toEqual([next, 200])
    const bytes = Buffer.byteLength(text)
    expect([next, bytes]).toEqual([next, Math.min(bytes, maxBytes)])
    pages.push(text)
    const [, link] = /href="([^"]+)">Page suivante</.exec(text) ?? []
    next = link?.replaceAll("&amp;", "&")
  }
  return pages
}

/** How often it stands on the pages altogether, for each of the numbers. */
function expectOnce(
  pages: string[],
  of: { from: number; to: number },
  shown: (word: string) => string,
): void {
  const all = pages.join("\n")
  const wrong: [number, number][] = []
  for (let number = of.from; number < of.to; number++) {
    const times = all.match(new RegExp(shown(wordOf(number)), "g"))?.length ?? 0
    if (times !== 1) wrong.push([number, times])
  }
  expect(wrong).toEqual([])
}

test("« Ce qui manque », near and far", async () => {
  const related = [1, 2, 3].map((number) => ({
    title: `Administrer les comptes de l’association, partie ${number}`,
    section: "Ajouter, déplacer ou retirer une personne",
    url: `https://docs.exemple.fr/administration/comptes-${number}#ajouter-deplacer-ou-retirer-une-personne`,
  }))
  const phrasings = (number: number) => [
    questionOf(number),
    `Je cherche à installer le ${wordOf(number)} : comment faire ?`,
    `installation ${wordOf(number)} bureau petite association`,
    `${wordOf(number)} : installer au bureau d’une petite association`,
  ]
  for (let number = 0; number < rows; number++)
    for (const question of phrasings(number)) {
      const kept = {
        projectId: site.project.id,
        question,
        page: undefined,
        generation: 0,
        cacheKey: null,
        result: {
          status: "no_answer" as const,
          answer: "La documentation ne répond pas.",
          sources: [],
          related: number % 2 === 0 ? related : [],
        },
      }
      await keepAnswer(site.service.app.db, kept, site.clock.now() - number * 1000)
    }
  for (const state of ["open", "treated"]) {
    const pages = await pagesOf(`${questions}/gaps?state=${state}`)
    expectOnce(pages, { from: 0, to: rows }, (word) => `<strong>[^<]*${word}`)
    await site.service.app.db.updateTable("answer").set({ gap: "treated" }).execute()
  }
}, 120_000)

test("« Évaluation »", async () => {
  const list = Array.from({ length: rows }, (_, number) =>
    JSON.stringify({
      question: questionOf(number),
      page: `/administration/comptes-${number}`,
      text: `Le ${wordOf(number)} s’installe en trois étapes`,
    }),
  )
  await client.get(`${questions}/evaluation`)
  expect((await client.post(`${questions}/evaluation/imports`, { rows: list.join("\n") })).status).toBe(303)
  const pages = await pagesOf(`${questions}/evaluation`)
  expectOnce(pages, { from: 0, to: rows }, (word) => `<strong>[^<]*${word}`)
}, 120_000)

test("« Réponses choisies »", async () => {
  const answer = `Le matériel s’installe en trois étapes.[^1] ${"Préparez d’abord la pièce, puis la prise. ".repeat(40)}`
  const { items: documents } = (await api.get(`/api/v1/projects/${site.project.id}/documents`)).body
  const sources = documents.slice(0, 3).map(({ url }: { url: string }) => url)
  for (let number = 0; number < chosenLimits.answers; number++) {
    const phrasings = [1, 2, 3].map((other) => `${questionOf(number)} (${other})`)
    const made = await api.post(`/api/v1/projects/${site.project.id}/chosen-answers`, {
      questions: [questionOf(number), ...phrasings],
      answer,
      sources,
    })
    expect(made.status).toBe(201)
  }
  const pages = await pagesOf(`${questions}/chosen`)
  expectOnce(pages, { from: 0, to: chosenLimits.answers }, (word) => `>[^<]*${word}[^<]*</a>`)
}, 120_000)

test("« Jetons d’accès »", async () => {
  const name = (number: number) => `Programme de suivi des commandes, ${wordOf(number)}`
  const { items: made } = (await api.get("/api/v1/tokens")).body
  for (let number = made.length; number < maxTokens; number++)
    await api.post("/api/v1/tokens", {
      name: name(number),
      scopes: ["projects:read", "answers:read", "forms:read", "endpoints:read", "messages:read"],
    })
  const pages = await pagesOf("/console/settings/tokens")
  expectOnce(pages, { from: made.length, to: maxTokens }, (word) => `>[^<]*${word}</td>`)
}, 120_000)
