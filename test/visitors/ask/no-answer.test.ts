import { afterAll, beforeAll, expect, test } from "bun:test"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import type { ProjectChange } from "../../../src/accounts/projects/record.ts"
import { foreign, origin, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// The words of a refusal: what the project calls its site, its owner's sentence, and the language of the page.
// Whatever they are, they keep rule A2.1 of the specification.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

const change = (wanted: ProjectChange) => applyProjectChange(site.service.app.db, site.project.id, wanted)

async function refusal(question = foreign, language?: string): Promise<string> {
  const { status, body } = await site.ask({ question }, { ...(language && { "accept-language": language }) })
  expect([status, body]).toEqual([
    200,
    { id: expect.any(String), status: "no_answer", answer: expect.any(String), sources: [] },
  ])
  return body.answer
}

test.each([
  ["documentation", "La documentation ne répond pas", "The documentation does not answer"],
  ["site", "Ce site ne répond pas", "This site does not answer"],
  ["le guide du locataire", "Le guide du locataire ne répond pas", "This site does not answer"],
  ["les pages de la mairie", "Les pages de la mairie ne répondent pas", "This site does not answer"],
  ["l’aide", "L’aide ne répond pas", "This site does not answer"],
])("a site that is called %j does not answer, and another wording is suggested", async (word, fr, en) => {
  await change({ kind_word: word })
  expect(await refusal()).toStartWith(`${fr} à cette question. Essayez de la reformuler`)
  expect(await refusal(foreign, "en-GB")).toStartWith(`${en} this question. Try rephrasing`)
  expect(await refusal("Bonjour")).toBe(
    `Bonjour\u202f! ${fr} à un salut\u00a0: posez votre question en une phrase.`,
  )
})

test.each([
  ["fr", "fr"],
  ["en", "en"],
  ["en-US,en;q=0.9,fr;q=0.8", "en"],
  ["de, en;q=0.2, fr;q=0.7", "fr"],
  ["de, EN ; Q=0.2", "en"],
  ["en;q=0, fr;q=0.1", "fr"],
  ["de", "fr"],
  ["*", "fr"],
  ["", "fr"],
  [`${"x,".repeat(2000)}en`, "fr"],
  ["en;q=yes", "fr"],
])("the page's language %j is followed, else the project's", async (language, expected) => {
  await change({ kind_word: "documentation" })
  expect(await refusal(foreign, language)).toStartWith(expected === "en" ? "The documentation" : "La doc")
})

test("an English project calls its site as its owner does, and speaks French to a French page", async () => {
  await using english = await aService().withIndexedProject({ language: "en" }).started()
  await applyProjectChange(english.service.app.db, english.project.id, { kind_word: "our help pages" })
  const answer = async (language: string) =>
    (await english.ask({ question: foreign }, { "accept-language": language })).body.answer
  expect(await answer("de")).toStartWith("Our help pages cannot answer this question. Try rephrasing")
  expect(await answer("fr")).toStartWith("Ce site ne répond pas")
})

test("the owner's sentence follows a refusal, from the next question on, and no greeting", async () => {
  await change({ kind_word: "documentation" })
  const before = await refusal()
  await change({ no_answer_more: "Écrivez à [la mairie](https://exemple.fr/contact)." })
  expect(await refusal()).toBe(`${before}\n\nÉcrivez à [la mairie](https://exemple.fr/contact).`)
  expect(await refusal(foreign, "en")).toEndWith(
    "rephrasing it, with other words or more detail.\n\nÉcrivez à [la mairie](https://exemple.fr/contact).",
  )
  expect(await refusal("Bonjour")).not.toContain("mairie")
  await change({ no_answer_more: null })
  expect(await refusal()).toBe(before)
})

test("errors stay French, whatever the page's language", async () => {
  const refused = await site.ask({ question: "a" }, { origin, "accept-language": "en" })
  expect(refused.body.error.message).toContain("trop courte")
})
