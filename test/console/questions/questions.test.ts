import { afterAll, beforeAll, expect, test } from "bun:test"
import { addProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { recordFeedback } from "../../../src/assistant/ask/feedback.ts"
import { keepAnswer } from "../../../src/assistant/ask/keep.ts"
import { dayMs } from "../../../src/base/clock.ts"
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
  projectId = (await addProject(db, await defaultWorkspaceId(db), wanted, clock.now())).id
  client = await signedIn(service)
  path = `/console/projects/${projectId}/questions`
})
afterAll(() => service[Symbol.asyncDispose]())

async function asked(question: string, daysAgo: number, answer?: string): Promise<string> {
  const result =
    answer === undefined
      ? { status: "no_answer" as const, answer: "Rien.", sources: [] }
      : {
          status: "answered" as const,
          answer,
          sources: [{ n: 1, title: "Page", section: null, url: "https://docs.exemple.fr/page" }],
        }
  const kept = { projectId, question, page: undefined, generation: 1, cacheKey: null, result }
  return (await keepAnswer(service.app.db, kept, clock.now() - daysAgo * dayMs)).id
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

test("the chart says from which day to which it goes, whether its points are days or weeks", async () => {
  expect((await client.get(path)).text).toContain("du 8 févr. au 10 mars\u00a0:")
  expect((await client.get(`${path}?days=90`)).text).toContain("du 10 déc. au 10 mars\u00a0:")
})

test("the unanswered are grouped by what they ask, the most asked first", async () => {
  for (const question of ["Quels sont les tarifs ?", "quels sont vos TARIFS", "Où voir les tarifs ?"])
    await asked(question, 1)
  await asked("Peut-on exporter en PDF ?", 1)
  const { text } = await client.get(path)
  const missing = textOf(text.slice(text.indexOf('id="missing"'), text.indexOf('id="asked"')))
  expect(missing).toMatch(/tarifs.*3 fois.*Autre formulation/i)
  expect(missing).toContain("la dernière fois le 9 mars 2026 à 10:00")
  expect(missing.toLowerCase().indexOf("tarifs")).toBeLessThan(missing.indexOf("exporter"))
})

test("the first of a month is said as an ordinal, others are not", async () => {
  for (const daysAgo of [8, 9])
    await asked(`Qui a écrit ceci, ${daysAgo} jours avant ?`, daysAgo, "Nous.[^1]")
  const list = textOf((await client.get(path)).text)
  expect(list).toContain("1er mars 2026 à 10:00")
  expect(list).toContain(" 2 mars 2026 à 10:00")
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
  expect(reply.headers.get("content-disposition")).toContain("questions.csv")
  const bytes = new Uint8Array(await reply.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).trim().split("\r\n")
  expect(lines[0]).toContain('"Question";"Page";"État"')
  expect(lines.join()).toContain('"avec réponse"')
  expect(lines).toHaveLength(45)
  expect(lines[1]).toContain(`"'=HYPERLINK(1)"`)
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
  const missing = text.slice(text.indexOf('id="missing"'), text.indexOf('id="asked"'))
  expect(missing).not.toMatch(/Bonjour|merci/)
  expect(textOf(text.slice(text.indexOf('id="asked"')))).toMatch(/Bonjour ! salut/)
  const unanswered = (await client.get(`${path}?show=no_answer`)).text
  expect(unanswered.slice(unanswered.indexOf('id="asked"'))).not.toMatch(/Bonjour|merci beaucoup/)
})
