import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertProject, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { indexFormatFor } from "../../../src/index/lance/index-format.ts"
import { indexFolder } from "../../support/ask.ts"
import { type Documentation, documentation } from "../../support/documentation.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// An operator tries a question, with the embedded model in its own process, and reads why it was answered or not.

let docs: Documentation
let service: Service
let project: Project
let client: ConsoleClient

beforeAll(async () => {
  docs = documentation({
    "facturer.md": "# Régler une facture\n\nUne facture se règle par carte bancaire ou par virement.",
    "cantine.md": `# Manger à la cantine\n\nLe repas de la cantine coûte quatre euros pour un élève.\n\n${"Un menu de la cantine est affiché chaque lundi dans le hall de l’école, avec ses allergènes. ".repeat(40)}`,
    "conge.md": "# Poser un congé\n\nVotre responsable valide la demande dans la semaine.",
    "velo.md":
      "# Garer son vélo\n\nUn abri fermé se trouve derrière le bâtiment.\n\n| Abri | Clé |\n| --- | --- |\n| nord | bleue |",
    "badge.md":
      "# Refaire un badge\n\nL’accueil remplace un badge perdu sur présentation d’une pièce d’identité.",
  })
  service = await aService().withSettings({ GUICHET_EMBEDDING: "local" }).started()
  const { app } = service
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await indexFolder(app, project, docs.path)
  client = await signedIn(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  docs[Symbol.dispose]()
})

const path = () => `/console/projects/${project.id}`

async function tryOut(question: string): Promise<string> {
  await client.get(path())
  const { status, text } = await client.post(`${path()}/trials`, { question })
  expect(status).toBe(200)
  return textOf(text)
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

test("an answer says what of its quotation spoke for it, and each passage its scores by words and by meaning", async () => {
  const text = await tryOut("Comment régler une facture ?")
  expect(text.indexOf("Pour commencer")).toBeGreaterThan(text.indexOf("L’assistant a répondu"))
  expect(text).toContain("L’assistant a répondu : il estime à")
  expect(text).toContain("Il a jugé l’extrait qu’il citerait, par son sens et par ses mots.")
  expect(text).toMatch(/Ressemblance de sens entre la question et l’extrait 0,[89]\d? /)
  expect(text).toMatch(/Ressemblance de sens avec l’ensemble de la documentation 0,\d+ /)
  expect(text).toContain("Mots de la question présents dans l’extrait 2 ")
  expect(text).toContain("Part de la question que la page citée reprend 100 % ")
  expect(text).toMatch(/cité score [\d,]+ \(mots [\d,]+, sens 0,\d+\)/)
  expect(text).toContain("L’extrait cité reprend tout ce que la question nomme.")
})

test("of several passages at one address, those that the answer cites are marked", async () => {
  const { text } = await client.post(`${path()}/trials`, {
    question: "Combien coûte le repas de la cantine ?",
  })
  const [, list = ""] = /<ol class="passages"[^>]*>(.*?)<\/ol>/s.exec(text) ?? []
  const listed = list.split("<li>").filter((each) => each.includes("/cantine"))
  expect(listed.length).toBeGreaterThan(1)
  expect(listed.map((each) => each.includes(">cité<"))).toEqual(
    listed.map((each) => each.includes("quatre euros")),
  )
  // The sentence comes first, and the passages are folded.
  expect(text).toMatch(/L’assistant a répondu.*<details><summary>Ce qui a été jugé, et les passages trouvés/s)
})

test("a passage is shown as a reader sees it, without the marks of its Markdown", async () => {
  expect(await tryOut("Où garer son vélo ?")).toContain("derrière le bâtiment. Abri Clé nord bleue")
})

test("a refusal shows the passage that a visitor is offered in its place", async () => {
  const text = await tryOut("Quel est le prix du menu pour un adulte ?")
  expect(text).toContain("Le passage proposé à la place Le repas de la cantine coûte quatre euros")
})

test("a refusal says what spoke against an answer", async () => {
  const text = await tryOut("Combien de jours faut-il à la société Zorglub pour un badge ?")
  expect(text).toContain("L’assistant n’a pas répondu : il estime à")
  expect(text).toContain("Ce qui manque pour répondre")
  expect(text).toMatch(/Les? mots? .*« Zorglub ».* n(’est|e sont) sur aucune page\./)
  expect(text).toContain("Rien, dans le passage le plus proche, ne donne de durée ni de délai.")
})

test("a refusal that was kept says in words why, and each reason leads to what can be done", async () => {
  const question = "Combien de jours faut-il à la société Zorglub pour un badge ?"
  const asked = await fetch(`${service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://docs.exemple.fr" },
    body: JSON.stringify({ project: project.id, question }),
  })
  const { id, status } = (await asked.json()) as { id: string; status: string }
  expect(status).toBe("no_answer")
  const { text } = await client.get(`${path()}/questions/${id}`)
  const shown = textOf(text)
  expect(shown).toMatch(/Les? mots? .*« Zorglub ».* n(’est|e sont) sur aucune page\./)
  expect(shown).toContain("Rien, dans le passage le plus proche, ne donne de durée ni de délai.")
  const [, synonym = ""] = /href="([^"]*\/synonyms\?words=Zorglub[^"]*)"/.exec(text) ?? []
  expect((await client.get(synonym.replace(/#.*/, ""))).text).toContain('value="Zorglub, "')
  const [, write = ""] = /href="([^"]+\/chosen\/new\?answer=[^"]*)" aria-label/.exec(text) ?? []
  expect((await client.get(write)).text).toContain(question)
  // What is kept of the reasons are codes, and words that stand in the kept question.
  const { db } = service.app
  const { reasons } = await db
    .selectFrom("answer")
    .select("reasons")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  for (const { words = [] } of JSON.parse(reasons ?? "[]") as { words?: string[] }[])
    for (const word of words) expect(question).toContain(word)
})

test("what has no answer leads to the owner's own, with the question filled in and the nearest passages to cite", async () => {
  const question = "Combien coûte la réparation d’un vélo au mois d’août ?"
  const { text } = await client.post(`${path()}/trials`, { question })
  expect(textOf(text)).toContain("sans réponse")
  const [, href = ""] = /href="([^"]+\/chosen\/new[^"]*)"/.exec(text) ?? []
  const form = (await client.get(href)).text
  expect(form).toContain(question)
  expect(form).toMatch(/name="source" value="https:\/\/docs\.exemple\.fr\/velo/)
  // Refused for a marker that leads nowhere: the passages nearest to what was typed are offered.
  const refused = await client.post(`${path()}/questions/chosen`, {
    questions: "Refaire un badge",
    answer: "Oui. [^9]",
  })
  expect(refused.status).toBe(400)
  expect(refused.text).toMatch(/name="source" value="https:\/\/docs\.exemple\.fr\/badge/)
})

test("without vectors it says that words decided alone, and for how long", async () => {
  const { db } = service.app
  const generation = () => db.updateTable("generation").where("project_id", "=", project.id)
  const { index_format } = await db.selectFrom("generation").select("index_format").executeTakeFirstOrThrow()
  const { vectorOf } = service.app.assistant.localUnderstanding ?? {}
  Object.assign(service.app.assistant.localUnderstanding ?? {}, { vectorOf: async () => undefined })
  try {
    expect(await tryOut("Comment régler une facture ?")).toContain("le modèle du sens était occupé")
    await generation()
      .set({ index_format: indexFormatFor(project, undefined) })
      .execute()
    const text = await tryOut("Comment régler une facture ?")
    expect(text).toContain("sur leurs mots seuls : la recherche par le sens se prépare encore.")
    expect(text).toContain("Part de la question retrouvée dans un même extrait 100 %")
  } finally {
    Object.assign(service.app.assistant.localUnderstanding ?? {}, { vectorOf })
    await generation().set({ index_format }).execute()
  }
})

test("a visitor's question leads to its reasons, and shows the pages that were offered instead of an answer", async () => {
  const { db, clock } = service.app
  const page = { title: "Garer son vélo", section: null, url: "https://docs.exemple.fr/velo" }
  const result = { status: "no_answer" as const, answer: "Rien.", sources: [], related: [page] }
  const question = "Où louer un vélo électrique ?"
  const kept = { projectId: project.id, question, page: undefined, generation: 1, cacheKey: null, result }
  await storeAnswer(db, kept, clock.now())
  const before = await db.selectFrom("answer").select("id").execute()
  const { text } = await client.get(`${path()}/questions`)
  expect(textOf(text)).toContain("Le passage proposé à la place Garer son vélo")
  // The form that all rows share, sent by the button of the row.
  expect(text).toContain(`form="try" name="question" value="${question}"`)
  const fields = { ...formIn(text, `${path()}/trials#trial`), question }
  const tried = await client.post(`${path()}/trials`, fields)
  expect(tried.text).toContain(`value="${question}"`)
  expect(textOf(tried.text)).toContain("Il a jugé l’extrait")
  expect(await db.selectFrom("answer").select("id").execute()).toEqual(before)
})
