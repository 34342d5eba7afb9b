import { describe, expect, test } from "bun:test"
import type { Language } from "../../../src/accounts/project.ts"
import { agreementWith } from "../../../src/answering/generative/agreement.ts"
import { documentation } from "../../support/documentation.ts"
import { type Behaviour, honest, reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import { passage } from "../../support/passages.ts"
import { aService } from "../../support/service-builder.ts"

// A sentence that names a true source says what the source says, or it goes.

const library = passage(
  "bibliotheque",
  "Emprunter une tablette",
  "Une tablette se garde 7 jours et ne sort pas du département. La caution est rendue au retour, sauf si l’écran est cassé. Les mineurs ne peuvent pas emprunter sans l’accord d’un parent. Sont refusés : les chèques, les cartes étrangères. L’inscription est gratuite et elle se fait au guichet. Rendre la tablette en retard suffit pour perdre la caution.",
)
const parking = passage(
  "parking",
  "Parking permits",
  "A permit covers one car and is not valid on market days. Visitors may park without a permit on Sundays. The office does not take cash: cards and transfers are accepted. Lost permits are replaced within three days. The barrier opens for every car that has a badge.",
)
const other = passage("piscine", "Piscine", "Le bassin ouvre à midi. Le bonnet est obligatoire.")
const { signal } = new AbortController()

function sourcesOf(language: Language, text: string, passages = [language === "fr" ? library : parking]) {
  return agreementWith({ language, found: [] }, language)({ markdown: text, passages }, signal)
}

describe("a sentence stays", () => {
  test.each([
    ["fr", "Une tablette peut être gardée 7 jours."],
    ["fr", "La tablette ne doit pas sortir du département."],
    ["fr", "Un mineur a besoin de l’accord d’un parent pour emprunter."],
    ["fr", "Sans l’accord d’un parent, un mineur ne peut pas emprunter."],
    ["fr", "Les chèques ne sont pas acceptés."],
    ["fr", "- L’**inscription** est gratuite."],
    ["fr", "N’oubliez pas l’inscription au guichet."],
    ["fr", "Il ne faut pas oublier que l’inscription se fait au guichet."],
    ["fr", "La caution n’est pas rendue si l’écran est cassé."],
    ["en", "The permit isn’t valid on market days."],
    ["en", "On Sundays you can park without a permit."],
    ["en", "Cash is not accepted by the office, but cards are."],
    ["en", "You get a new one within three days if you lost the permit."],
    ["en", "A badge opens the barrier."],
    ["en", "Don’t forget that a permit covers one car."],
  ] as const)("%s: %s", async (language, text) => expect(await sourcesOf(language, text)).toHaveLength(1))
})

describe("a sentence goes", () => {
  test.each([
    ["fr", "that denies what is affirmed", "Une tablette ne se garde pas 7 jours."],
    ["fr", "that affirms what is denied", "La tablette peut sortir du département."],
    ["fr", "that affirms what is refused", "Les chèques sont acceptés."],
    ["fr", "that denies what suffices", "Rendre la tablette en retard ne suffit pas pour perdre la caution."],
    ["fr", "that leaves a without out", "Les mineurs peuvent emprunter sans l’accord d’un parent."],
    ["fr", "that denies by a prefix", "Il est impossible de rendre la tablette."],
    ["fr", "that denies what is not spoken of", "Le mardi n’est jamais férié dans la région."],
    ["fr", "about something else", "Les fondateurs aiment la randonnée, le vélo et la cuisine japonaise."],
    ["fr", "that asks", "Combien de jours se garde une tablette ?"],
    ["en", "that denies what is affirmed", "The barrier does not open for a car that has a badge."],
    ["en", "that affirms what is denied", "The permit is valid on market days."],
    ["en", "that turns a without", "Visitors may not park without a permit on Sundays."],
    ["en", "that affirms what is not taken", "The office takes cash."],
    ["en", "about something else", "Our mission is to build a better future for all developers."],
  ] as const)("%s, %s: %s", async (language, _, text) => expect(await sourcesOf(language, text)).toEqual([]))
})

test("a sentence that was said before goes, in the same words or nearly", async () => {
  const agreeing = agreementWith({ language: "fr", found: [] }, "fr")
  const isKept = async (markdown: string) =>
    (await agreeing({ markdown, passages: [library] }, signal)).length > 0
  expect(await isKept("La tablette se garde 7 jours.")).toBe(true)
  expect(await isKept("- La tablette se garde 7 jours")).toBe(false)
  expect(await isKept("Vous gardez la tablette pendant 7 jours.")).toBe(false)
  expect(await isKept("L’inscription est gratuite.")).toBe(true)
})

test("a source that has nothing of the sentence is not cited", async () => {
  const text = "La tablette se garde 7 jours."
  expect(await sourcesOf("fr", text, [other, library])).toEqual([library])
})

test("in another language the meaning tells, and words that both languages have", async () => {
  const far = { unitCosines: () => [0.78, undefined, 0.81], median: 0.81 }
  const near = { unitCosines: () => [0.86, undefined, 0.81], median: 0.81 }
  const found = [{ passage: library, row: 3 }] as never
  const isKept = async (markdown: string, meaning: typeof far | undefined) => {
    const agreeing = agreementWith({ language: "fr", found, meaningOf: async () => meaning }, "en")
    return (await agreeing({ markdown, passages: [library] }, signal)).length > 0
  }
  expect(await isKept("You can keep it for a week.", near)).toBe(true)
  expect(await isKept("You can keep it for a week.", undefined)).toBe(true)
  expect(await isKept("The best way to learn is to practise.", far)).toBe(false)
  expect(await isKept("It is not supported by all browsers.", near)).toBe(false)
  expect(await isKept("The inscription is free.", near)).toBe(true)
  expect(await isKept("The inscription is not free.", near)).toBe(false)
})

const pages = {
  "formulaire.md":
    "# Le formulaire\n\nLe formulaire du navigateur est compatible avec tous les navigateurs. Il s’envoie par un bouton vert.",
}
const untrue = {
  fr: "Le formulaire du navigateur n’est pas compatible avec les navigateurs de la plupart des visiteurs.",
  en: "The browser form is not compatible with the browser that you use.",
}
const truth = {
  fr: "Oui, le formulaire est compatible avec tous les navigateurs.",
  en: "Yes, the form is compatible with the browser that you use.",
}
const asked = {
  fr: "Le formulaire du navigateur est-il compatible avec tous les navigateurs ?",
  en: "Is the browser form compatible with all the browsers (navigateurs, formulaire)?",
}
const saying = (...texts: string[]): Behaviour => ({
  ...honest,
  write: () => reply({ answerable: true, sentences: texts.map((text) => ({ text, sources: [1] })) }),
})

describe.each(providers)("%s", (provider) => {
  test.each(["fr", "en"] as const)(
    "an untrue sentence of a weak model is not shown: %s",
    async (language) => {
      using folder = documentation(pages)
      const behaviour = saying(untrue[language], truth[language], truth[language])
      await using site = await aService().withModel(provider, behaviour, {}, folder.path).started()
      const { body } = await site.ask({ question: asked[language] })
      expect(body.answer).toBe(`${truth[language]} [^1]`)
      const headers = { accept: "text/event-stream" }
      const streamed = await site.ask({ question: `${asked[language]} ` }, headers)
      expect(streamed.body).toContain("event: answer")
      expect(streamed.body).not.toContain(untrue[language])
    },
  )

  test("a reply of which nothing is left is no answer", async () => {
    using folder = documentation(pages)
    await using site = await aService().withModel(provider, saying(untrue.fr), {}, folder.path).started()
    expect((await site.ask({ question: asked.fr })).body).toMatchObject({ status: "no_answer", sources: [] })
  })
})
