import { expect, test } from "bun:test"
import { decideOnQuotation } from "../../../src/answering/retrieval/decide.ts"
import { readQuestion } from "../../../src/answering/retrieval/question.ts"
import {
  heldPart,
  measureQuotation,
  missingWords,
  type Quotation,
  type QuoteSignals,
} from "../../../src/answering/retrieval/quote-signals.ts"
import type { Vocabulary } from "../../../src/index/lance/vocabulary.ts"
import type { Passage } from "../../../src/reading/formats/document.ts"
import { passage } from "../../support/passages.ts"
import { timesPlainWork } from "../../support/processor.ts"

// Each signal of the decision, in a documentation of a few words.

const vocabulary: Vocabulary = {
  language: "fr",
  passages: 100,
  frequency: (term) => ({ sauvegarder: 5, bas: 20, service: 60, nuit: 2, redis: 3, suppres: 4 })[term] ?? 0,
}
const nightly = passage("sauvegarder", "Sauvegarder", "La base est copiée chaque nuit, en 30 secondes.")
const restore = passage("sauvegarder", "Restaurer", "Arrêtez le service avant de restaurer.", ["Restaurer"])
const redis = passage("redis", "Redis", "Redis est facultatif.")

interface Asked {
  quoted?: [Quotation, ...Quotation[]]
  previous?: string[]
  meaningOfHeld?: number
}

const whole: [Quotation] = [{ markdown: nightly.markdown, passages: [nightly] }]
const read = (question: string, previous: string[] = []) =>
  readQuestion({ question, previous: previous.map((earlier) => ({ question: earlier })) }, "fr", vocabulary)
const signals = (
  question: string,
  { quoted = whole, previous, meaningOfHeld = 0.85 }: Asked = {},
): QuoteSignals =>
  measureQuotation(read(question, previous), quoted, {
    found: [nightly, redis, restore],
    vocabulary,
    meaning: 0.85,
    meaningOfHeld,
    match: { share: 0.5, nearness: 0.8, headingLikeness: 0 },
    belonging: 0.8,
    byWords: 0.5,
  })

test("words that title or quotation hold are counted, up to four", () => {
  expect(signals("sauvegarder la base").wordsHeld).toBe(0.5)
  expect(signals("sauvegarder la base du service").wordsHeld).toBe(0.5)
  expect(signals("sauvegarder, copier la base, la nuit, en secondes").wordsHeld).toBe(1)
})

test("a number that its heading has in the same role is held, whatever else the text has as many of", () => {
  const young = passage("carte", "Carte", "La carte arrive sous 15 jours.", ["Avant 15 ans"])
  const card = passage("carte", "Carte", "La carte arrive sous 15 jours.", ["Adultes"])
  const held = (quoted: Passage) =>
    missingWords(read("carte à 15 ans"), [{ markdown: quoted.markdown, passages: [quoted] }], "fr")
  expect(held(young).map(({ text }) => text)).not.toContain("15")
  expect(held(card).map(({ text }) => text)).toContain("15")
})

test("the page counts with all its passages that were found, the quotation for itself", () => {
  const { pageCoverage, heldOfFound } = signals("sauvegarder le service")
  expect(pageCoverage).toBe(1)
  expect(heldOfFound).toBeLessThan(1)
  expect(signals("sauvegarder la base").heldOfFound).toBe(1)
  // Redis stands on another page.
  expect(signals("sauvegarder redis").pageCoverage).toBeLessThan(1)
})

test("the heading of the joined section that is quoted counts as held, those of its neighbours do not", () => {
  const codes = {
    ...passage("codes", "Codes", "**Sauvegarder**\n\nRelancez.\n\n**Redis**\n\nAttendez."),
    sections: ["Sauvegarder", "Redis"].map((heading, at) => ({
      from: 30 * at,
      heading,
      url: `https://docs.exemple.fr/codes#${heading}`,
    })),
  }
  const held = (at: number) =>
    signals("sauvegarder", { quoted: [{ markdown: "Relancez.", passages: [codes], at }] }).wordsHeld
  expect(held(17)).toBeGreaterThan(0)
  expect(held(40)).toBe(0)
})

test("a word of an earlier question counts half as much", () => {
  const alone = signals("sauvegarder redis").pageCoverage
  expect(signals("redis", { previous: ["sauvegarder"] }).pageCoverage).toBeLessThan(alone)
})

test.each([
  ["a capital inside a sentence", "sauvegarder la base de Neptune"],
  ["a capital inside a word", "useBackup sauvegarde la base"],
  ["digits with letters", "sauvegarder la base en s3"],
  ["a dot inside", "sauvegarder la base par rsync.net"],
  ["a sigil", "sauvegarder la base avec --quiet"],
  ["a foreign word at the beginning", "Backblaze sauvegarde la base"],
  ["a foreign word with a hyphen", "sauvegarder la base avec borg-backup"],
])("a name that the quotation lacks: %s", (_, question) => {
  expect(signals(question).namesMissing).toBe(1)
})

test.each([
  ["a verb with its pronoun", "la base sait-elle sauvegarder ?"],
  ["a word of the language at the beginning", "Pouvons-nous sauvegarder la base ?"],
  ["a compound of words", "sauvegarder la base est-il sous-entendu ?"],
  ["capitals for emphasis", "SAUVEGARDER LA BASE"],
  ["an ordinal", "sauvegarder la base une 2e fois, le 1er et le 3ème jour"],
  ["a tag of the visitor's own", "sauvegarder la base depuis <ma-page>"],
])("is no name: %s", (_, question) => {
  expect(signals(question).namesMissing).toBe(0)
})

test("a name that the quotation holds is not missing, a rare one misses more than a frequent one", () => {
  const aboutRedis: [Quotation] = [{ markdown: redis.markdown, passages: [redis] }]
  expect(signals("sauvegarder dans Redis", { quoted: aboutRedis }).namesMissing).toBe(0)
  const frequent = signals("sauvegarder par le Service").namesMissing
  expect(frequent).toBeGreaterThan(0)
  expect(frequent).toBeLessThan(signals("sauvegarder dans Redis").namesMissing)
})

test.each([
  ["sauvegarder la base", 0],
  // Other pages have it.
  ["sauvegarder le bas", 0],
  ["avez-vous matlab ?", 1],
  ["sauvegarder photo base", 0.35],
  ["emprunter une sauvegarde", 0.57],
  ["peut-on utiliser une sauvegarde ?", 0],
])("a word of any kind is missing that neither the quotation nor a page has: %s", (question, share) => {
  expect(signals(question).unknownMissing).toBeCloseTo(share, 1)
})

test.each([
  ["Combien de temps dure la sauvegarde de la base ?", 0],
  ["Combien coûte la sauvegarde de la base ?", 1],
  ["Quand sort la prochaine sauvegarde ?", 1],
  ["Quelle version sauvegarde la base ?", 1],
  ["Combien de bases sont sauvegardées en 30 secondes ?", 1],
  ["Comment sauvegarder la base ?", 0],
  ["Quand je sauvegarde, la base est copiée ?", 0],
  ["Quand utiliser la sauvegarde ?", 0],
])("a quantity is missing unless a sentence gives one of its kind: %s", (question, missing) => {
  expect(signals(question).quantityMissing).toBe(missing)
})

test("a number in a sentence about something else is not the one that is asked for", () => {
  const markdown = "La sauvegarde est automatique.\n\nLe journal est vidé.\n\nComptez 30 secondes par redis."
  const elsewhere = passage("autre", "Autre", markdown)
  const quoted: [Quotation] = [{ markdown, passages: [elsewhere] }]
  const { quantityMissing } = signals("Combien de temps dure la sauvegarde de la base ?", { quoted })
  expect(quantityMissing).toBe(1)
})

test("a number answers for what is counted only where its sentence or a heading names it", () => {
  const of = (markdown: string) =>
    signals("Combien de bases la sauvegarde garde-t-elle ?", {
      quoted: [{ markdown, passages: [passage("autre", "Autre", markdown)] }],
    }).quantityMissing
  expect(of("La sauvegarde garde 12 bases.")).toBe(0)
  expect(of("La sauvegarde garde 12 copies.")).toBe(1)
  expect(of("La base est copiée.\n\nLa sauvegarde garde 12 copies.")).toBe(1)
})

test("the thing that is asked for by its name stands in a heading or does not", () => {
  expect(signals("quelle sauvegarde choisir ?").askedUnheaded).toBe(0)
  expect(signals("quel algorithme choisir ?").askedUnheaded).toBe(1)
  expect(signals("choisir un algorithme").askedUnheaded).toBe(0)
})

test("without the words that the quotation lacks, the question may come nearer; never further", () => {
  expect(signals("redis", { meaningOfHeld: 0.9 }).gainWithoutMissing).toBeCloseTo(0.05)
  expect(signals("redis", { meaningOfHeld: 0.8 }).gainWithoutMissing).toBe(0)
  expect(heldPart(read("sauvegarder la base"), whole, "fr")).toBeUndefined()
  expect(heldPart(read("Où sauvegarder à l’hôtel la base de Neptune ?"), whole, "fr")).toBe(
    "Où sauvegarder à  la base de  ?",
  )
})

test("a question and a quotation of any length are judged in no time", async () => {
  const markdown = "La base. 1 1 1 $ 2 ".repeat(5_000)
  const quoted: [Quotation] = [{ markdown, passages: [passage("long", "Long", markdown)] }]
  const judge = () => signals(`combien ${"Zor-glub été 1 ".repeat(70)}`, { quoted })
  expect(await timesPlainWork(judge, 40)).toBeLessThan(40)
})

test("a quotation that holds nothing of the question, on a page that holds nothing of it, never answers", () => {
  const sure = { ...signals("comment sauvegarder la base ?"), meaning: 1, unitNearness: 1, byWords: 1 }
  expect(decideOnQuotation(sure, true, 0, false, 100).confidence).toBeGreaterThan(0.5)
  const foreign = { ...sure, wordsHeld: 0, pageCoverage: 0 }
  expect(decideOnQuotation(foreign, true, 0.01, false, 100)).toMatchObject({
    answerable: false,
    confidence: 0,
  })
})

test("the same signals say more in a documentation of few passages, and nothing where nothing is held", () => {
  const sure = { ...signals("sauvegarder la base"), byWords: 0.5 }
  const confidences = [500, 30, 12, 4, 1].map(
    (passages) => decideOnQuotation(sure, true, 0, false, passages).confidence,
  )
  expect(confidences[1]).toBe(confidences[0] as number)
  expect(confidences.slice(1, 4)).toEqual(confidences.slice(1, 4).toSorted())
  expect(new Set(confidences.slice(1, 4)).size).toBe(3)
  // One page is not answered from whatever is asked.
  expect(confidences[4]).toBe(confidences[3] as number)
  const foreign = { ...sure, wordsHeld: 0, pageCoverage: 0 }
  expect(decideOnQuotation(foreign, true, 0.01, false, 5).answerable).toBe(false)
})

test("who asks for nothing but a kind of fact is not answered where none is given", () => {
  const turned = passage("deces", "Décès", "Adressez-vous à la mairie dans les 24 heures.")
  const placed = passage("mairie", "Mairie", "L'accueil se trouve 4 place du Marché, 35190 Valmorin.")
  const held = ({ markdown, ...quoted }: Passage) =>
    signals("C'est quoi votre adresse ?", { quoted: [{ markdown, passages: [{ markdown, ...quoted }] }] })
  expect(held(turned)).toMatchObject({ wordsHeld: 0, pageCoverage: 0 })
  expect(held(placed).wordsHeld).toBeGreaterThan(0)
})
