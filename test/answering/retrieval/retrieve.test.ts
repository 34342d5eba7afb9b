import { afterAll, beforeAll, expect, test } from "bun:test"
import { readQuestion } from "../../../src/answering/retrieval/question.ts"
import { type FoundPassage, normalisedPath, retrieve } from "../../../src/answering/retrieval/retrieve.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import type { Vocabulary } from "../../../src/index/lance/vocabulary.ts"
import { analyse } from "../../../src/index/text/analyse.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"

/** Makes about thirty passages, so that words differ in frequency. */
const subjects = {
  installer: "Copiez le binaire sur le serveur, rendez-le exécutable puis lancez-le avec la commande serve.",
  sauvegarder: "La commande backup copie la base pendant que le service tourne. Gardez la copie ailleurs.",
  restaurer: "Pour restaurer une copie, arrêtez le service puis lancez la commande restore.",
  indexer: "Indexez la documentation depuis un dossier Markdown ou un plan de site avec la commande index.",
  quotas: "Le quota mensuel de questions se règle par organisation. Il repart à zéro le premier du mois.",
  webhooks: "Chaque webhook est signé avec un secret. Vérifiez la signature avant de traiter le message.",
  rotation: "Changer le secret d’un webhook : l’ancien signe encore pendant vingt-quatre heures.",
  formulaires:
    "Les champs d’un formulaire peuvent être obligatoires. La case de consentement est facultative.",
  console: "Ouvrez la console dans le navigateur pour activer l’assistant du projet.",
  journal: "Le journal est écrit sur la sortie d’erreur, une ligne de JSON par événement.",
}
const passages = Object.entries(subjects).flatMap(([name, text]) =>
  ["", "Détails", "Erreurs"].map((part) =>
    passage(
      `guide/${name}`,
      name,
      part === "" ? text : `${part} sur ${name} : lisez le journal du service.`,
      part ? [part] : [],
    ),
  ),
)
const folder = temporaryFolder()
let index: PassageIndex

beforeAll(async () => {
  await buildIndex(folder.path, "guide_1", "fr", passages)
  index = (await openIndex(folder.path, "guide_1")) as PassageIndex
})

afterAll(() => {
  index[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const ask = (question: string, page?: string, previous: string[] = []) =>
  retrieve(index, {
    question,
    page,
    previous: previous.map((earlier) => ({ question: earlier, answer: "" })),
  })

test("a question in the documentation's words finds its passage and is answered", async () => {
  const { ranked, decision } = await ask("Comment sauvegarder la base pendant que le service tourne ?")
  expect(ranked[0]?.passage.document).toBe("guide/sauvegarder")
  expect(decision.answerable).toBe(true)
})

test("a question whose words the documentation never uses is refused", async () => {
  for (const question of [
    "Quelle est la capitale de l’Australie ?",
    "Recette de crêpes sans œufs",
    "de la à le ?",
  ])
    expect((await ask(question)).decision.answerable, question).toBe(false)
})

test.each([
  ["a letter missing", "vérifier la signture du webhook"],
  ["a letter too many", "vérifier la signnature du webhook"],
  ["a wrong letter", "vérifier la signqture du webhook"],
  ["two letters that changed places", "vérifier la siganture du webhook"],
  ["the last letters", "vérifier la signatrue du webhook"],
  ["in what is an ending", "vérifier la signatuer du webhook"],
  ["two words", "vérifier la signatrue avant de traiter le mesage du webhook"],
  ["part of a name", "vérifier la signature du webHok"],
  ["lost apostrophes of everyday words", "jaimerai vérifier la signature dun webhook, quon reçoit"],
  ["a stop word", "coment vérifier la signature du webhook"],
])("a typing error is corrected: %s", async (_, question) => {
  const { ranked, decision } = await ask(question)
  expect(ranked[0]?.passage.document).toBe("guide/webhooks")
  expect(decision.answerable).toBe(true)
})

test("a mistyped word of an earlier question is corrected", async () => {
  const { ranked } = await ask("et en cas d’erreurs ?", undefined, ["vérifier la signatrue"])
  expect(ranked.some(({ passage: { document } }) => document === "guide/webhooks")).toBe(true)
})

test("known words, short words and words with another first letter are not corrected", async () => {
  const terms = async (question: string) => (await ask(question)).terms[0]?.terms
  expect(await terms("restaurer")).toEqual(analyse("restaurer", "fr"))
  expect(await terms("restairer")).toEqual(analyse("restaurer", "fr"))
  expect(await terms("testaurer")).toEqual(["testaur"])
  expect(await terms("bade")).toEqual(analyse("bade", "fr"))
})

test("a word of French or English is not corrected, in any of its forms", async () => {
  const terms = async (question: string) => (await ask(question)).terms[0]?.terms
  expect(await terms("chanps")).toEqual(analyse("champs", "fr"))
  for (const [word, same] of [
    ["chants", "chanter"],
    ["Sévices", "sévice"],
    ["jouvenceaux", "jouvenceau"],
    ["screts", "secret"],
    ["secrete", "secret"],
    ["bases", "base"],
    ["blank", "blank"],
  ])
    expect(await terms(word as string), word).toEqual(analyse(same as string, "fr"))
})

test("a verb that its accent alone tells from a noun is looked for, and without its accent where there is no noun", async () => {
  const books = { language: "fr", passages: 100, frequency: () => 5 } as const
  const parcels = { ...books, frequency: (term: string) => (term === "livrer" ? 5 : 0) }
  const term = (word: string, vocabulary: Vocabulary) =>
    readQuestion({ question: `Quand est ${word} le colis ?`, previous: [] }, "fr", vocabulary).written.find(
      ({ text }) => text === "livre",
    )?.whole
  expect(term("livré", books)).toBe("livrer")
  expect(term("livre", books)).toBe("livre")
  expect(term("livre", parcels)).toBe("livrer")
})

test("a word whose apostrophe is lost is looked for without its article", async () => {
  const terms = async (question: string) => (await ask(question)).terms[0]?.terms
  expect(await terms("linscription")).toEqual(analyse("inscription", "fr"))
  expect(await terms("jaimerai")).toEqual([])
  for (const word of ["lent", "nuage", "laser", "quatre", "docker"])
    expect(await terms(word), word).toEqual(analyse(word, "fr"))
})

test("a mistyped name does not count as missing", async () => {
  const { signals } = await ask("Comment vérifier la Signatrue d’un webhook ?")
  expect(signals.namesMissing).toBe(0)
})

test("only the first few unknown words of a text are corrected, because each takes time", async () => {
  const unknown = (count: number) => Array.from({ length: count }, (_, n) => `zz${n}`).join(" ")
  expect((await ask(`${unknown(4)} signatrue`)).terms[0]?.terms).toContain(analyse("signature", "fr")[0])
  expect((await ask(`${unknown(5)} signatrue`)).terms[0]?.terms).not.toContain(analyse("signature", "fr")[0])
})

test("a corrected word counts against an answer like any unknown word", async () => {
  const share = async (question: string) => (await ask(question)).signals.unknownShare
  expect(await share("sauvegarder la signatrue")).toBe(await share("sauvegarder la nébuleuse"))
})

test("courtesies are no part of a question", async () => {
  const plain = await ask("Comment installer le binaire ?")
  for (const courteous of [
    "Bonjour, comment installer le binaire ? Merci d’avance et bonne journée !",
    "comment installer le binaire, s’il vous plaît ? Bien cordialement",
    "Excusez-moi, comment installer le binaire ? Je vous remercie.",
  ])
    expect((await ask(courteous)).signals).toEqual(plain.signals)
  for (const courtesy of ["Merci beaucoup !", "au revoir", "Bonne soirée à vous"])
    expect((await ask(courtesy)).terms[0]?.terms).toEqual([])
})

test("the words that only ask for a number are not searched, even where the documentation uses them", async () => {
  const texts = ["Un temps minimal, une fois par visiteur.", "Les questions sont gardées 90 jours."]
  await buildIndex(
    folder.path,
    "guide_2",
    "fr",
    texts.map((text, at) => passage(`page-${at}`, "Page", text)),
  )
  using other = (await openIndex(folder.path, "guide_2")) as PassageIndex
  const termsOf = async (question: string) =>
    (await retrieve(other, { question, page: undefined, previous: [] })).terms[0]?.terms
  const plain = await termsOf("gardez-vous les questions ?")
  expect(await termsOf("Combien de temps gardez-vous les questions ?")).toEqual(plain)
  expect(await termsOf("Combien de fois gardez-vous les questions ?")).toEqual(plain)
  expect(await termsOf("Un temps minimal ?")).toContain("temps")
  expect(await termsOf("Combien de temps ?")).toContain("temps")
})

test("one shared word does not make an answer", async () => {
  expect((await ask("Qui a inventé le navigateur Netscape ?")).decision.answerable).toBe(false)
})

test("passages of the open page are slightly boosted", async () => {
  const question = "Erreurs : lisez"
  const [first, second] = (await ask(question)).ranked
  const { ranked } = await ask(question, `/${second?.passage.document}/index.html`)
  expect(ranked[0]?.passage).toEqual((second as FoundPassage).passage)
  expect(ranked[0]?.score).toBeGreaterThan(second?.score as number)
  expect(ranked[0]?.score).toBeLessThan(1.5 * (second?.score as number))
  expect(ranked.slice(1)).toContainEqual(first as FoundPassage)
})

test("being open does not put a far weaker page first", async () => {
  const question = "Comment sauvegarder la base pendant que le service tourne ?"
  expect((await ask(question, "/guide/restaurer")).ranked[0]?.passage.document).toBe("guide/sauvegarder")
})

test("the open page never changes the decision to answer", async () => {
  for (const question of [
    "Quelle est la capitale de l’Australie ?",
    "Comment sauvegarder la base ?",
    "le service ?",
  ]) {
    const without = await ask(question)
    for (const name of Object.keys(subjects))
      expect((await ask(question, `/guide/${name}`)).decision).toEqual(without.decision)
  }
})

test("reference stands behind guides unless the question has a name of code", async () => {
  const text = "La fonction ferme le compte du membre qui ne vient plus."
  const site = [
    { ...passage("reference", "fermerCompte", text), kind: "reference" as const },
    passage("guide", "Fermer le compte", `${text} Il disparaît de la liste.`),
    ...passages,
  ]
  await buildIndex(folder.path, "reference_1", "fr", site)
  using index = (await openIndex(folder.path, "reference_1")) as PassageIndex
  const first = async (question: string) =>
    (await retrieve(index, { question, previous: [], page: undefined })).ranked[0]?.passage.document
  expect(await first("Comment fermer le compte d’un membre ?")).toBe("guide")
  expect(await first("fermerCompte ferme le compte d’un membre ?")).toBe("reference")
})

test("news whose day is past stands behind what still holds, unless the question names a year", async () => {
  const text = "La fête du village a lieu sur la place, un bal suit le repas."
  const site = [
    { ...passage("ancienne", "Fête du village", text), until: "2024-06-10" },
    passage("page", "Fête du village", `${text} Chacun apporte sa chaise.`),
    ...passages,
  ]
  await buildIndex(folder.path, "past_1", "fr", site)
  using index = (await openIndex(folder.path, "past_1")) as PassageIndex
  const first = async (question: string, today: string) =>
    (await retrieve(index, { question, previous: [], page: undefined, today })).ranked[0]?.passage.document
  expect(await first("Quand a lieu la fête du village ?", "2024-06-10")).toBe("ancienne")
  expect(await first("Quand a lieu la fête du village ?", "2024-06-11")).toBe("page")
  expect(await first("Quand a eu lieu la fête du village en 2024 ?", "2026-06-11")).toBe("ancienne")
})

test("news and legal pages stand behind others unless the question asks for them", async () => {
  const text = "La salle de répétition ouvre aux musiciens de la fanfare."
  const site = [
    ...(["news", "legal"] as const).map((kind) => ({ ...passage(kind, "Salle", text), kind })),
    passage("salle", "Salle", `${text} Une clé est remise à chacun.`),
    ...passages,
  ]
  await buildIndex(folder.path, "kinds_1", "fr", site)
  using index = (await openIndex(folder.path, "kinds_1")) as PassageIndex
  const first = async (question: string) =>
    (await retrieve(index, { question, previous: [], page: undefined })).ranked[0]?.passage.document
  expect(await first("Quand ouvre la salle de répétition de la fanfare ?")).toBe("salle")
  expect(await first("Quoi de nouveau à la salle de répétition de la fanfare ?")).toBe("news")
  expect(await first("Mentions légales de la salle de répétition de la fanfare ?")).toBe("legal")
})

test("a question that leans on an earlier one is found through it", async () => {
  const alone = await ask("et comment en changer ?")
  const followed = await ask("et comment en changer ?", undefined, ["Où est le secret du webhook ?"])
  expect(followed.ranked[0]?.passage.document).toBe("guide/rotation")
  expect(followed.decision.confidence).toBeGreaterThan(alone.decision.confidence)
})

test("an earlier question does not answer for one that is foreign", async () => {
  const { decision } = await ask("Quelle est la capitale de l’Australie ?", undefined, [
    "Comment sauvegarder la base pendant que le service tourne ?",
  ])
  expect(decision.answerable).toBe(false)
})

test("all paths of one page are normalised to one", () => {
  for (const path of ["/guide/", "/guide", "/guide/index.html", "/guide.html", "/guide/?a=b#c", "/gu%69de"])
    expect(normalisedPath(path)).toBe("/guide")
  expect(normalisedPath("/")).toBe("/")
  expect(normalisedPath("/%E0")).toBe("/%E0")
})

test("of what a site says on many pages one copy is found, and owes nothing to the page that it stands on", async () => {
  const footer = "Ouvert du lundi au vendredi de 9 h à 18 h, uniquement sur rendez-vous."
  const pages = ["Ordonnance", "Contact", "Radiologie", "Brochures"].flatMap((title) => [
    passage(title.toLowerCase(), title, `Tout ce qu'il faut savoir : ${title}.`),
    passage(title.toLowerCase(), title, footer, ["Horaires"]),
  ])
  await buildIndex(folder.path, "pied_1", "fr", pages)
  using repeating = (await openIndex(folder.path, "pied_1")) as PassageIndex
  const { ranked } = await retrieve(repeating, {
    question: "Quand mon ordonnance est-elle prête, du lundi au vendredi ?",
    previous: [],
    page: undefined,
  })
  const copies = ranked.filter(({ passage: { markdown } }) => markdown === footer)
  expect(copies.map(({ passage: { title } }) => title)).toHaveLength(1)
  expect(copies[0]?.passage.title).not.toBe("Ordonnance")
})
