import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { conversationId } from "../../../src/answering/ask/earlier-answers.ts"
import { recordFeedback } from "../../../src/answering/ask/feedback.ts"
import { storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { dayMs } from "../../../src/base/clock.ts"
import { removeAskedQuestion } from "../../../src/owners/gaps/asked-questions.ts"
import { apiOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let service: Service
let client: ConsoleClient
let path: string
let projectId: string

beforeAll(async () => {
  service = await aService().withClock(clock).started()
  const { db } = service.app
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  projectId = (await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())).id
  client = await signedIn(service)
  path = `/console/projects/${projectId}/questions`
})
afterAll(() => service[Symbol.asyncDispose]())

async function asked(question: string, daysAgo: number, answer?: string, page?: string): Promise<string> {
  const result =
    answer === undefined
      ? { status: "no_answer" as const, answer: "Rien.", sources: [] }
      : {
          status: "answered" as const,
          answer,
          sources: [{ n: 1, title: "Page", section: null, url: "https://docs.exemple.fr/page" }],
        }
  const kept = { projectId, question, page, generation: 1, cacheKey: null, result }
  return (await storeAnswer(service.app.db, kept, clock.now() - daysAgo * dayMs)).id
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

test("a project without questions says what will stand here, and how long it is kept", async () => {
  const { text } = await client.get(path)
  expect(text).toContain("Aucune question sur cette période.")
  expect(text).toContain("effacées après 90\u00a0jours")
})

test("the share of answered questions is that of the period, in figures and as a chart with its table", async () => {
  for (const daysAgo of [1, 2, 2, 40]) await asked("Comment payer ?", daysAgo, "Par carte.[^1]")
  const useless = await asked("Où est la facture ?", 3)
  await recordFeedback(service.app.db, useless, { useful: false, reason: "incomplete" })
  const month = textOf((await client.get(path)).text)
  expect(month).toContain("Questions posées 4")
  expect(month).toContain("Avec réponse 75 %")
  expect(month).toContain("Avis « pas utile » 1")
  const all = await client.get(`${path}?days=90`)
  expect(textOf(all.text)).toContain("Avec réponse 80 %")
  expect(all.text).toContain("<svg")
  expect((await client.get(`${path}?days=100000`)).status).toBe(200)
})

test("the chart says from which day, the first that has data, to which it goes, whether its points are days or weeks", async () => {
  expect((await client.get(path)).text).toContain("du 7 mars au 10 mars\u00a0:")
  expect((await client.get(`${path}?days=90`)).text).toContain("du 28 janv. au 10 mars\u00a0:")
})

test("the figures stand against the period before, as long as that one is kept in full", async () => {
  const text = textOf((await client.get(path)).text)
  expect(text).toContain("Questions posées 4 +300 % par rapport aux 30 jours d’avant")
  expect(text).toContain("Avec réponse 75 % −25 points par rapport")
  expect(textOf((await client.get(`${path}?days=90`)).text)).not.toContain("par rapport")
})

test("the most asked questions and the most cited pages are listed", async () => {
  const { text } = await client.get(path)
  const part = (id: string) => textOf(text.slice(text.indexOf(`id="${id}"`)).split("</section>")[0] as string)
  expect(part("frequent")).toMatch(/Comment payer \? 3 fois/)
  expect(part("cited")).toMatch(/Page 3 réponses/)
})

test("questions are searched by any of their words, whatever the case and the accents", async () => {
  await asked("Où télécharger le Récapitulatif à 100 % ?", 2, "Ici.[^1]")
  const list = async (q: string) => {
    const { text } = await client.get(`${path}?${new URLSearchParams({ q })}`)
    return textOf(text.slice(text.indexOf('id="asked"')))
  }
  expect(await list("RECAP telecharger")).toContain("Récapitulatif")
  expect(await list("récap")).not.toContain("Comment payer")
  for (const none of ["recap_tulatif", "100 %%", "introuvable", "\\"])
    expect(await list(none), none).toContain("Aucune question ne correspond")
  expect(await list("100 %")).toContain("Récapitulatif")
})

test("the page that a question was asked on is chosen from those of the period", async () => {
  await asked("Quel délai ?", 1, "Un jour.[^1]", "/livraison")
  const { text } = await client.get(path)
  expect(text).toContain('<option value="/livraison">/livraison (1)</option>')
  const chosen = textOf((await client.get(`${path}?page=/livraison`)).text)
  expect(chosen).toContain("Questions posées 1")
  expect(chosen).not.toContain("Comment payer")
  expect(textOf((await client.get(`${path}?page=/ailleurs`)).text)).toContain("Aucune question")
})

test("questions that follow one another are shown as a whole conversation", async () => {
  const { db } = service.app
  const first = await asked("Livrez-vous en Corse ?", 0, "Oui.[^1]")
  const result = { status: "no_answer" as const, answer: "Rien.", sources: [] }
  const conversation = await conversationId(db, projectId, [first], clock.now())
  const further = { projectId, question: "Et à la Réunion ?", page: undefined, generation: 1, cacheKey: null }
  const second = await storeAnswer(db, { ...further, conversation, result }, clock.now() + 1)
  const third = await conversationId(db, projectId, [first, second.id], clock.now() + 2)
  expect(third).toBe(first)
  expect((await client.get(path)).text).toContain("Conversation (2)")
  for (const id of [first, second.id]) {
    const shown = textOf((await client.get(`${path}/${id}`)).text)
    expect(shown).toMatch(/Conversation.*Livrez-vous en Corse \?.*Et à la Réunion \?/)
  }
  expect((await client.get(`${path}/ans_0`)).status).toBe(404)
  await removeAskedQuestion(db, projectId, first)
  expect(textOf((await client.get(`${path}/${second.id}`)).text)).not.toContain("Corse")
  await removeAskedQuestion(db, projectId, second.id)
})

test("a long conversation opens where the question stands, and leads on to the rest", async () => {
  const { db } = service.app
  const first = await asked("Avez-vous une boutique ?", 0, "Oui.[^1]")
  const conversation = await conversationId(db, projectId, [first], clock.now())
  const result = { status: "no_answer" as const, answer: "Rien.", sources: [] }
  const ids = [first]
  for (let number = 1; number < 35; number++) {
    const question = `Et la boutique numéro ${number} ?`
    const kept = { projectId, question, page: undefined, generation: 1, cacheKey: null, conversation, result }
    ids.push((await storeAnswer(db, kept, clock.now() + number)).id)
  }
  const last = textOf((await client.get(`${path}/${ids.at(-1)}`)).text)
  expect(last).toContain("Et la boutique numéro 34 ?")
  const { text } = await client.get(`${path}/${first}`)
  expect(textOf(text)).not.toContain("numéro 34 ?")
  expect(text).toContain(`${path}/${first}?cursor=${ids[29]}`)
  for (const id of ids) await removeAskedQuestion(db, projectId, id)
})

test("the first of a month is said as an ordinal, others are not", async () => {
  for (const daysAgo of [8, 9])
    await asked(`Qui a écrit ceci, ${daysAgo} jours avant ?`, daysAgo, "Nous.[^1]")
  const list = textOf((await client.get(path)).text)
  expect(list).toContain("1er mars à 10:00")
  expect(list).toContain(" 2 mars à 10:00")
})

test("the list shows what the filter says, page by page", async () => {
  const list = async (query: string) => {
    const { text } = await client.get(`${path}?days=90&${query}`)
    return text.slice(text.indexOf('id="asked"'))
  }
  expect(await list("show=no_answer")).not.toContain("Comment payer")
  expect(await list("show=answered")).not.toContain("tarifs")
  expect(await list("show=useless")).toContain("Où est la facture")
  expect(await list("show=useful")).toContain("Aucune question")
  expect((await client.get(`${path}?show=constructor`)).status).toBe(200)
  for (let number = 0; number < 31; number++) await asked(`Question numéro ${number} ?`, 5, "Oui.[^1]")
  const next = /href="([^"]*after=[^"]*)"/.exec(await list("show=answered"))?.[1]?.replaceAll("&amp;", "&")
  expect((await client.get(next?.split("#")[0] as string)).text).toContain("Comment payer")
})

test("what visitors and documentations wrote is text: nothing of it runs or is taken for ours", async () => {
  const attack = `<img src=x onerror=alert(1)><form action="/x">`
  await asked(`${attack} ?`, 0, `${attack} [ici](javascript:alert(1)) ![x](data:text/html,x)[^1]`)
  const { text } = await client.get(path)
  expect(text).not.toContain("<img src=x")
  expect(text).not.toContain('<form action="/x"')
  expect(text).not.toMatch(/(href|src)="(javascript|data):/i)
})

test("the table opens in a spreadsheet: separated by semicolons, and no cell is a formula", async () => {
  await asked("=HYPERLINK(1)", 0)
  const reply = await fetch(`${service.url}${path}/questions.csv?days=90`, {
    headers: { cookie: client.cookie },
  })
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  expect(reply.headers.get("content-disposition")).toMatch(
    /"questions-espace-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"/,
  )
  const bytes = new Uint8Array(await reply.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).trim().split("\r\n")
  expect(lines[0]).toContain('"Question";"Page";"État"')
  expect(lines.join()).toContain('"avec réponse"')
  expect(lines).toHaveLength(43)
  expect(lines[1]).toContain(`"'=HYPERLINK(1)"`)
})

test("the table says what the console says of each question", async () => {
  const { db } = service.app
  const first = await asked("Est-ce la première ?", 1, "Oui.[^1]")
  const second = await asked("Et la suite ?", 1, "Oui.[^1]")
  await db.updateTable("answer").set({ chosen_id: "cho_1" }).where("id", "=", first).execute()
  const changed = { courtesy: "thanks" as const, conversation: first, via: "mcp" as const }
  await db.updateTable("answer").set(changed).where("id", "=", second).execute()
  const { text } = await client.get(`${path}/questions.csv?days=90`)
  const cells = (question: string) =>
    text
      .split("\r\n")
      .find((line) => line.includes(question))
      ?.slice(1, -1)
      .split('";"')
  expect(cells("Identifiant")?.slice(-6)).toEqual([
    "Avis",
    "Raison",
    "Votre réponse",
    "Conversation",
    "Autres passages ouverts",
    "Posée par",
  ])
  expect(cells("Est-ce la première")?.slice(-4)).toEqual(["oui", "", "", ""])
  expect(cells("Et la suite")?.slice(-4)).toEqual(["", first, "", "un programme (MCP)"])
  expect(cells("Et la suite")?.[4]).toBe("remerciement")
  await db.deleteFrom("answer").where("id", "in", [first, second]).execute()
})

test("the management API streams the same table", async () => {
  const api = await apiOf(service)
  const since = new Date(clock.now() - 90 * dayMs).toISOString()
  const table = async (filter: string) =>
    (await client.get(`${path}/questions.csv?days=90&${filter}`)).text.split("\r\n")
  const reply = await api.get(`/api/v1/projects/${projectId}/answers.csv?since=${since}`)
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  expect(reply.body.split("\r\n")).toEqual(await table("show=all"))
  const unanswered = await api.get(
    `/api/v1/projects/${projectId}/answers.csv?status=no_answer&since=${since}`,
  )
  expect(unanswered.body.split("\r\n")).toEqual(await table("show=no_answer"))
  expect((await api.get(`/api/v1/projects/${projectId}/answers.csv?since=hier`)).status).toBe(400)
})

test("greetings and thanks are named, and are neither questions nor gaps", async () => {
  const before = textOf((await client.get(path)).text)
  await asked("Bonjour !", 0)
  await asked("merci beaucoup", 0)
  const { text } = await client.get(path)
  expect(/Questions posées \d+ Avec réponse \d+ %/.exec(textOf(text))?.[0]).toBe(
    /Questions posées \d+ Avec réponse \d+ %/.exec(before)?.[0] as string,
  )
  const missing = (await client.get(`${path}/gaps`)).text
  expect(missing).not.toMatch(/Bonjour|merci/)
  expect(textOf(text.slice(text.indexOf('id="asked"')))).toMatch(/Bonjour ! salut/)
  const unanswered = (await client.get(`${path}?show=no_answer`)).text
  expect(unanswered.slice(unanswered.indexOf('id="asked"'))).not.toMatch(/Bonjour|merci beaucoup/)
})
