import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { insertProject, type Language, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import type { Understanding } from "../../../src/answering/ask/retrieve.ts"
import { indexFolder, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { aService } from "../../support/service-builder.ts"

// In a conversation, an answer needs a reason: an unrelated question does not get the answer before.

const town = join(import.meta.dir, "../../bench/town")
const library = {
  "opening.md": "# Opening hours\n\nThe library is open from Tuesday to Saturday, from 10 am to 6 pm.",
  "borrowing.md":
    "# Borrow books\n\n## Members\n\nA member borrows ten books for three weeks. Membership costs 15 euros a year.\n\n" +
    "## Late returns\n\nA book that is returned late costs 20 cents a day.\n\n" +
    "## Children\n\nA child under twelve borrows with a parent, and pays nothing.",
  "rooms.md":
    "# Book a study room\n\nA study room for six people is booked on the website, for two hours at most.\n\n" +
    "## Cancel a room\n\nA booking is cancelled by e-mail until the evening before.",
  "printing.md": "# Print and scan\n\nA printed page costs 10 cents. Scanning is free.",
}

const mother = [
  "fr",
  "Comment se marier à la mairie ?",
  "et pour le décès de ma mère ?",
  "24 heures",
] as const

describe.each(["local", "none"])("with the embedding %s", (embedding) => {
  let site: Site
  const projects = new Map<Language, Project>()

  beforeAll(async () => {
    site = await aService().withSettings({ GUICHET_EMBEDDING: embedding }).withIndexedProject().started()
    const { app } = site.service
    await app.embeddings.local?.warm()
    using pages = documentation(library)
    const folders = { fr: town, en: pages.path }
    for (const language of ["fr", "en"] as const) {
      const wanted = { name: language, language, site: `https://${language}.example` }
      const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
      await indexFolder(app, project, folders[language])
      projects.set(language, project)
    }
    if (app.assistant.localUnderstanding) makePatient(app.assistant.localUnderstanding)
  })
  afterAll(() => site[Symbol.asyncDispose]())

  const after = async (language: Language, first: string, question: string) => {
    const { id: project, site: origin } = projects.get(language) as Project
    const { body } = await site.ask({ project, question: first }, { origin })
    expect(body.status, first).toBe("answered")
    return (await site.ask({ project, question, previous: [body.id] }, { origin })).body
  }

  test.each([
    ["fr", "Combien coûte un repas à la cantine ?", "où faire vacciner mon chien ?"],
    ["fr", "Combien coûte un repas à la cantine ?", "qui est le maire ?"],
    ["fr", "Combien coûte un repas à la cantine ?", "et qui est le maire ?"],
    ["fr", "Combien coûte un repas à la cantine ?", "comment faire une procuration pour voter ?"],
    ["fr", "Combien coûte un repas à la cantine ?", "y a-t-il un cinéma ?"],
    ["fr", "Combien coûte la location de la salle des fêtes ?", "où acheter un ticket de bus ?"],
    ["fr", "Quand sont enlevés les encombrants ?", "et la piscine, elle ferme à quelle heure ?"],
    ["en", "How many books can I borrow?", "where can I have my dog vaccinated?"],
    ["en", "How many books can I borrow?", "who is the mayor?"],
    ["en", "How many books can I borrow?", "is there a cinema?"],
    ["en", "How many books can I borrow?", "and how do I vote by proxy?"],
  ] as const)("%s: after « %s », « %s » is not answered", async (language, first, question) => {
    expect(await after(language, first, question)).toMatchObject({ status: "no_answer", sources: [] })
  })

  test.each([
    ["fr", "Combien coûte la location de la salle des fêtes ?", "il y a une caution ?", "caution de 800 €"],
    ["fr", "À quelle heure prendre les clés de la salle des fêtes ?", "et si j’arrive après ?", "astreinte"],
    ["fr", "Combien coûte un repas à la cantine ?", "et pour un adulte ?", "6,10 €"],
    ["en", "How many books can I borrow?", "and for a child?", "with a parent"],
    ["en", "How many books can I borrow?", "what if they are late?", "20 cents a day"],
    ["en", "How do I book a study room?", "can I cancel it?", "until the evening before"],
    // By words alone, a question of which a page holds one word of two is not sure enough.
    ...(embedding === "local" ? [mother] : []),
  ] as const)("%s: after « %s », « %s » is answered: %s", async (language, first, question, text) => {
    expect((await after(language, first, question)).answer).toContain(text)
  })
})

/** The model may be busy on a machine that does much else: words would answer alone. */
function makePatient(local: Understanding): void {
  const { vectorOf } = local
  local.vectorOf = async (text, signal) => {
    while (true) {
      const vector = await vectorOf(text, signal)
      if (vector) return vector
      await Bun.sleep(10)
    }
  }
}
