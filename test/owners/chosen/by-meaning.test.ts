import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import type { Understanding } from "../../../src/answering/ask/retrieve.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { indexFolder, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { aService } from "../../support/service-builder.ts"

// Issue K, point 8: a chosen answer is matched by meaning, with the embedded model itself.

let site: Site
let api: Api
let path: string

beforeAll(async () => {
  site = await aService().withSettings({ GUICHET_EMBEDDING: "local" }).withIndexedProject().started()
  api = await apiOf(site.service)
  path = `/api/v1/projects/${site.project.id}/chosen-answers`
  await site.service.app.embeddings.local?.warm()
})
afterAll(() => site[Symbol.asyncDispose]())

/** The model may be busy on a machine that does much else: words answer meanwhile. */
async function isChosen(question: string): Promise<boolean> {
  const { assistant } = site.service.app
  while (!(await assistant.localUnderstanding?.vectorOf(question, new AbortController().signal)))
    await Bun.sleep(10)
  return (await site.ask({ question })).body.answer.startsWith("Trente jours.")
}

test("other words for the same get it, other questions near the topic do not", async () => {
  const made = await api.post(path, {
    questions: ["Combien de temps le lien de confirmation reste-t-il valable ?"],
    answer: "Trente jours.",
    sources: ["https://docs.exemple.fr/consentement"],
  })
  expect(made.status).toBe(201)
  const stored = async () =>
    (await site.service.app.db.selectFrom("chosen_question").select(["model", "vector"]).execute())[0]
  while ((await stored())?.vector === null)
    await site.service.app.assistant.chosen?.prepare(site.project.id, "fr")
  expect((await stored())?.vector).toHaveLength(384 * 4)
  expect(await isChosen("Quelle est la durée de validité du lien de confirmation ?")).toBe(true)
  expect(await isChosen("Pendant combien de temps le lien de confirmation est-il valable ?")).toBe(true)
  for (const other of [
    "Le lien de confirmation est arrivé deux fois, pourquoi ?",
    "Combien de temps les réponses sont-elles gardées ?",
    "Pendant combien de jours 30 liens de confirmation sont-ils valables ?",
    "Où acheter un lit ?",
  ])
    expect(await isChosen(other), other).toBe(false)
})

test("the first phrasing that is added brings what it is near to", async () => {
  const [chosen] = (await api.get(path)).body.items
  const other = "Le mail à confirmer expire quand ?"
  expect(await isChosen("Quand est-ce que le mail à confirmer expire ?")).toBe(false)
  await api.patch(`${path}/${chosen.id}`, { questions: [...chosen.questions, other] })
  expect(await isChosen("Quand est-ce que le mail à confirmer expire ?")).toBe(true)
})

test("the model makes the vector of a question once, for the owner's answers and for the documentation", async () => {
  using docs = documentation({
    "facturer.md": "# Régler une facture\n\nUne facture se règle par carte bancaire ou par virement.",
    "velo.md": "# Garer son vélo\n\nUn abri fermé se trouve derrière le bâtiment.",
  })
  const { app } = site.service
  const { assistant } = app
  const wanted = { name: "Guide", site: "https://guide.exemple.fr" }
  const guide = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await indexFolder(app, guide, docs.path)
  const chosen = await api.post(`/api/v1/projects/${guide.id}/chosen-answers`, {
    questions: ["Où laisser ma trottinette ?"],
    answer: "Sous l’abri.[^1]",
    sources: ["https://guide.exemple.fr/velo"],
  })
  expect(chosen.status).toBe(201)
  await assistant.chosen?.prepare(guide.id, "fr")
  const made: string[] = []
  const local = assistant.localUnderstanding as Understanding
  const { vectorOf } = local
  local.vectorOf = (text, signal) => {
    made.push(text)
    return vectorOf(text, signal)
  }
  const question = "Comment régler une facture ?"
  const asked = { project: guide.id, question }
  expect((await site.ask(asked, { origin: wanted.site })).body.status).toBe("answered")
  local.vectorOf = vectorOf
  expect(made.filter((text) => text === question)).toHaveLength(1)
})
