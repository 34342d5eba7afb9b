import { afterAll, beforeAll, expect, test } from "bun:test"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import { listGaps } from "../../../src/owners/gaps/gaps.ts"
import { answerable, foreign, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// A greeting or thanks is no question: it gets a sentence of its own that keeps rule A2.1 of the specification,
// and is no gap of the documentation.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

const greeting =
  "Bonjour\u202f! La documentation ne répond pas à un salut\u00a0: posez votre question en une phrase."
const thanks =
  "Avec plaisir\u202f! La documentation ne répond pas à un remerciement\u00a0: s’il vous reste une question, posez-la en une phrase."

test.each([
  ["bonjour", greeting],
  ["Bonjour !", greeting],
  ["  BONJOUR…  ", greeting],
  ["Bonjour à tous 👋🙂", greeting],
  ["bonsoir", greeting],
  ["Salut !!!", greeting],
  ["hello", greeting],
  ["hi", greeting],
  ["Hi there,", greeting],
  ["Good morning", greeting],
  ["bonjour et merci d’avance", greeting],
  ["merci", thanks],
  ["Merci beaucoup !", thanks],
  ["ok merci", thanks],
  ["merci pour votre aide 🙏", thanks],
  ["je vous remercie", thanks],
  ["thank you", thanks],
  ["Thanks a lot!", thanks],
  ["au revoir", thanks],
])("%j is answered as a courtesy", async (question, answer) => {
  const { status, body } = await site.ask({ question })
  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(/^ans_/), status: "no_answer", answer, sources: [] })
  const related = await site.send(
    { headers: { origin: site.project.origins[0] as string } },
    `/api/v1/answers/${body.id}/related`,
  )
  expect(related.body).toEqual({ items: [] })
})

test("a greeting before a question, or a word of the documentation beside thanks, leaves a question", async () => {
  expect((await site.ask({ question: `Bonjour, ${answerable}` })).body.status).toBe("answered")
  for (const question of [`Bonjour ! ${foreign}`, "merci de signature", "hello world"])
    expect((await site.ask({ question })).body.answer).not.toMatch(/salut|remerciement/)
})

test("an English project answers in English", async () => {
  await using english = await aService().withIndexedProject({ language: "en" }).started()
  await applyProjectChange(english.service.app.db, english.project.id, { language: "en" })
  expect((await english.ask({ question: "Bonjour" })).body.answer).toStartWith(
    "Hello. The documentation does not",
  )
  expect((await english.ask({ question: "thanks!" })).body.answer).toStartWith("You are welcome.")
})

test("an event before the answer says so to the widget: nobody is asked for an opinion of it", async () => {
  const accept = { accept: "text/event-stream, application/json" }
  const events = async (question: string) => (await site.ask({ question }, accept)).body
  expect(await events("Bonjour")).toMatch(/^event: courtesy\ndata: {}\n\nevent: answer\n/)
  expect(await events(foreign)).toStartWith("event: answer\n")
})

test("courtesies are no gap of the documentation, and lower no share", async () => {
  await using own = await aService().withIndexedProject().started()
  for (const question of ["Bonjour", "merci", foreign, answerable]) await own.ask({ question })
  const { db, clock } = own.service.app
  const groups = await listGaps(db, own.project, clock.now() - 1000)
  expect(groups.map(({ question }) => question)).toEqual([foreign])
})
