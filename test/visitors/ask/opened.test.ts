import { afterAll, beforeAll, expect, test } from "bun:test"
import { maxExcerptCharacters } from "../../../src/answering/ask/next-pages.ts"
import { purgeAnswers } from "../../../src/answering/ask/store-answer.ts"
import { dayMs } from "../../../src/base/clock.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { answerable, foreign, origin, type Reply, type Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// Beside an answer, or in its place: the passages that are offered, and which of them the visitor opened.

let site: Site
let api: Api
let operator: ConsoleClient
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  operator = await signedIn(site.service)
})
afterAll(() => site[Symbol.asyncDispose]())

const asked = async (question: string): Promise<string> => (await site.ask({ question })).body.id
const related = async (id: string) =>
  (await site.send({ headers: { origin } }, `/api/v1/answers/${id}/related`)).body.items
const open = (id: string, body: unknown, headers: Record<string, string> = { origin }): Promise<Reply> =>
  site.send(
    { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) },
    `/api/v1/answers/${id}/opened`,
  )
const answers = (query = "") => api.get(`/api/v1/projects/${site.project.id}/answers${query}`)
const openedOf = async (id: string) =>
  (await api.get(`/api/v1/projects/${site.project.id}/answers/${id}`)).body.opened
const questions = "/console/projects/"
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

test("an answer is followed by up to two other passages, each with its text and its own address", async () => {
  const { body } = await site.ask()
  expect(Object.keys(body)).toEqual(["id", "status", "answer", "sources"])
  const items = await related(body.id)
  expect(items.length).toBeWithin(1, 3)
  for (const item of items) {
    expect(Object.keys(item)).toEqual(["title", "section", "url", "excerpt"])
    expect(new URL(item.url).origin).toBe(origin)
    expect(item.excerpt.length).toBeWithin(20, maxExcerptCharacters + 1)
    expect(body.answer).not.toContain(item.excerpt)
  }
})

test("an equal question, answered from before, is followed by the same", async () => {
  expect(await related(await asked(answerable))).toEqual(await related(await asked(answerable)))
})

test("each passage counts once, and the owner sees it by the API, in the table and in the console", async () => {
  const id = await asked(answerable)
  expect(await openedOf(id)).toEqual([])
  for (const n of [2, 2]) expect(await open(id, { n })).toMatchObject({ status: 204, body: "" })
  expect(await openedOf(id)).toEqual([2])
  for (const n of [1, 2]) await open(id, { n })
  expect(await openedOf(id)).toEqual([1, 2])

  const other = await asked(answerable.toUpperCase().replace("?", " ?"))
  const same = await asked(answerable)
  await open(same, { n: 1 })
  const ids = async (query: string) =>
    (await answers(query)).body.items.map((each: { id: string }) => each.id)
  expect(await ids("?opened=true")).toEqual([same, id])
  expect(await ids("?opened=false")).toContain(other)
  expect(await ids("?opened=false")).not.toContain(id)
  const statistics = await api.get(`/api/v1/projects/${site.project.id}/answer-statistics`)
  expect(statistics.body.opened).toBe(2)
  expect((await answers(".csv?opened=true")).body).toMatch(/Autres passages ouverts[\s\S]*1, 2/)

  const path = `${questions}${site.project.id}/questions`
  const list = textOf((await operator.get(`${path}?show=opened`)).text)
  expect(list).toContain("Passage proposé ouvert 2")
  expect(list.match(/autre passage ouvert/g)).toHaveLength(2)
  const page = textOf((await operator.get(`${path}/${id}`)).text)
  expect(page).toContain("2 visiteurs qui ont posé cette question ont ouvert un autre passage")
  expect(page).toMatch(/Les passages proposés sous la réponse/)
})

test("what is opened of the passages in place of an answer counts as well", async () => {
  const near = "Peut-on payer en ligne dans un formulaire ?"
  const id = await asked(near)
  const offered = (await related(id)).length
  expect(offered).toBeGreaterThan(0)
  for (const n of [offered, 1, 1]) expect((await open(id, { n })).status).toBe(204)
  expect(await openedOf(id)).toEqual([...new Set([1, offered])])
  const path = `${questions}${site.project.id}/questions/${id}`
  const page = textOf((await operator.get(path)).text)
  expect(page).toContain("passage proposé ouvert")
  expect(page).toContain("Un visiteur qui a posé cette question a ouvert un passage proposé.")
  expect(page).toContain("dont le premier était ouvert")
  // As kept before lines were offered.
  const withoutLines = [{ title: "Imprimer", section: null, url: `${origin}/imprimer` }]
  const { db } = site.service.app
  const kept = JSON.stringify([...withoutLines, ...withoutLines])
  await db.updateTable("answer").set({ related: kept }).where("id", "=", id).execute()
  const before = textOf((await operator.get(path)).text)
  expect(before).toContain("Les passages proposés à la place")
  expect(before).not.toContain("dont le premier")
})

test("a passage that was not offered is 404, and another number is refused", async () => {
  const id = await asked(answerable)
  for (const body of [{}, { n: 0 }, { n: 4 }, { n: "1" }, { n: 1.5 }, [], null])
    expect(await open(id, body)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  const refused = await asked(foreign)
  for (const [answer, n] of [
    ["ans_unknown", 1],
    [id, 3],
    [refused, 1],
  ] as const)
    expect(await open(answer, { n })).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
  expect(await openedOf(id)).toEqual([])
})

test("an origin that is not declared for the answer's project is refused", async () => {
  const id = await asked(answerable)
  for (const headers of [{ origin: "https://evil.com" }, { origin: "null" }, {}] as Record<string, string>[])
    expect(await open(id, { n: 1 }, headers)).toMatchObject({
      status: 403,
      body: { error: { code: "origin_not_allowed" } },
    })
  expect(await openedOf(id)).toEqual([])
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  }
  const allowed = await site.send(
    { method: "OPTIONS", headers: { origin, ...preflight } },
    "/api/v1/answers/ans_1/opened",
  )
  expect(allowed.headers.get("access-control-allow-origin")).toBe(origin)
})

test("nothing follows an answer that the owner chose, and nothing of it can be opened", async () => {
  const question = "Quel est le numéro du standard ?"
  const chosen = { questions: [question], answer: "Le 01 00 00 00 00.", sources: [`${origin}/webhooks`] }
  expect((await api.post(`/api/v1/projects/${site.project.id}/chosen-answers`, chosen)).status).toBe(201)
  const id = await asked(question)
  expect(await related(id)).toEqual([])
  expect((await open(id, { n: 1 })).status).toBe(404)
})

test("the passages and what was opened are purged with the answer", async () => {
  const id = await asked(answerable)
  await open(id, { n: 1 })
  await purgeAnswers(site.service.app.db, 1, site.clock.now() + 2 * dayMs)
  expect((await open(id, { n: 2 })).status).toBe(404)
  expect((await answers("?opened=true")).body.items).toEqual([])
})
