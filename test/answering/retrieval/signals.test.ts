import { expect, test } from "bun:test"
import { decide } from "../../../src/answering/retrieval/decide.ts"
import { readQuestion } from "../../../src/answering/retrieval/question.ts"
import { measureRetrieval, type Signals } from "../../../src/answering/retrieval/signals.ts"
import type { Vocabulary } from "../../../src/index/lance/vocabulary.ts"
import { analyse } from "../../../src/index/text/analyse.ts"
import { passage } from "../../support/passages.ts"
import { timesPlainWork } from "../../support/processor.ts"

const vocabulary = vocabularyOf(100, { sauvegarde: 5, base: 20, service: 60, nuit: 2 })
const best = passage("sauvegarder", "Sauvegarder", "La base est copiée chaque nuit, en 30 secondes.")
const signals = (question: string, previous: string[] = [], found = best): Signals =>
  measureRetrieval(
    readQuestion(
      { question, previous: previous.map((earlier) => ({ question: earlier })) },
      "fr",
      vocabulary,
    ),
    [{ passage: found, row: 0, score: 5 }],
    "fr",
    vocabulary.passages,
  )

test("shares weigh each word by how rare it is", () => {
  const { windowCoverage, headCoverage, unknownShare } = signals("sauvegarder la base du service")
  expect(windowCoverage).toBeGreaterThan(0.75)
  expect(headCoverage).toBeGreaterThan(0.5)
  expect(unknownShare).toBe(0)
})

test("a word that the documentation never uses counts against an answer", () => {
  const known = signals("sauvegarder la base")
  const unknown = signals("sauvegarder la base de Neptune")
  expect(unknown.unknownShare).toBeCloseTo(1 / 3)
  expect(unknown.namesMissing).toBe(0.5)
  expect(decide(unknown).confidence).toBeLessThan(decide(known).confidence)
})

test("mere phrasing does not count against an answer, unless the documentation uses such words itself", () => {
  const plain = signals("sauvegarder la base")
  for (const question of [
    "je voudrais savoir comment sauvegarder la base",
    "à quoi sert de sauvegarder la base",
    "A QUOI SERT de sauvegarder la base",
    "combien de temps pour sauvegarder la base",
  ])
    expect(signals(question).unknownShare).toBe(plain.unknownShare)
  const aboutServices = signals("à quoi sert le service")
  expect(aboutServices.passageWords).toBe(signals("le service").passageWords)
})

test("a word that the documentation never uses weighs no more than its rarest, however small it is", () => {
  const small = vocabularyOf(12, { wifi: 1 })
  const { words } = readQuestion({ question: "wifi gratuit", previous: [] }, "fr", small)
  expect(words.map(({ idf }) => idf)).toEqual([words[0]?.idf as number, words[0]?.idf as number])
})

test("a question for a number needs a passage that has one", () => {
  const without = passage("sauvegarder", "Sauvegarder", "La base est copiée.")
  expect(signals("combien dure la sauvegarde ?").quantityMissing).toBe(0)
  expect(signals("combien dure la sauvegarde ?", [], without).quantityMissing).toBe(1)
  expect(signals("comment faire la sauvegarde ?", [], without).quantityMissing).toBe(0)
})

test("a question for a person is recognised", () => {
  expect(signals("Qui sauvegarde la base ?").asksWho).toBe(1)
  const named = passage("sauvegarder", "Sauvegarder", "Karim Djelloul copie la base.")
  expect(signals("Qui sauvegarde la base ?", [], named).asksWho).toBe(0)
  const former = passage("sauvegarder", "Sauvegarder", "Karim Djelloul a copié la base de 1998 à 2004.")
  expect(signals("Qui sauvegarde la base ?", [], former).asksWho).toBe(1)
  expect(signals("La base, qui la sauvegarde ?").asksWho).toBe(0)
})

test("words of earlier questions count less than its own, and never as unknown", () => {
  const { unknownShare, windowWords } = signals("et la nuit ?", ["sauvegarder la base sur Neptune"])
  expect(unknownShare).toBe(0)
  expect(windowWords).toBeGreaterThan(signals("et la nuit ?").windowWords)
  expect(windowWords).toBeLessThan(signals("la nuit, sauvegarder la base").windowWords)
})

test("no passage, or no word to go by, is refused", () => {
  const noSignals = measureRetrieval(
    readQuestion({ question: "base", previous: [] }, "fr", vocabulary),
    [],
    "fr",
    100,
  )
  expect(decide(noSignals).answerable).toBe(false)
  expect(decide(signals("de la ?")).answerable).toBe(false)
})

test("a passage of megabytes is judged by its beginning, in no time", async () => {
  const endless = passage("code", "Code", `La base. ${"sauvegarde base service ".repeat(100_000)}`)
  const judge = () => expect(signals("sauvegarder la base", [], endless).windowCoverage).toBe(1)
  expect(await timesPlainWork(judge, 20)).toBeLessThan(20)
})

test("words count together when few in a row hold them all", () => {
  const apart = (words: number) =>
    passage("x", "Titre", `Une base ${"truc ".repeat(words)} et un service sauvegardé.`)
  const near = signals("sauvegarder la base du service", [], apart(5)).windowCoverage
  const far = signals("sauvegarder la base du service", [], apart(200)).windowCoverage
  expect(near).toBeCloseTo(1)
  expect(far).toBeLessThan(near)
})

test("confidence lies between 0 and 1, and what is answered has more of it than what is not", () => {
  const [answered, refused] = ["sauvegarder la base chaque nuit", "Neptune"].map((question) =>
    decide(signals(question)),
  )
  expect([answered?.answerable, refused?.answerable]).toEqual([true, false])
  for (const decision of [answered, refused]) expect(decision?.confidence).toBeWithin(0, 1)
  expect(answered?.confidence).toBeGreaterThan(refused?.confidence as number)
})

/** `uses`: in how many passages each word occurs. */
function vocabularyOf(passages: number, uses: Record<string, number>): Vocabulary {
  const frequencies = Object.fromEntries(
    Object.entries(uses).map(([word, count]) => [analyse(word, "fr")[0] as string, count]),
  )
  return {
    language: "fr",
    passages,
    frequency: (term) => frequencies[term] ?? 0,
  }
}

const withName = passage("compte", "Compte", "Le compte se crée sur exemple.gouv.fr, avec votre adresse.")
const known = { compt: 5, adress: 5, exemplegouvfr: 4, exempl: 4, gouv: 4, fr: 4 }

test("the parts of a compound score together at most as one word beside the name itself", () => {
  const question = readQuestion(
    { question: "recette de tarte sur exemple.gouv.fr", previous: [] },
    "fr",
    vocabularyOf(100, known),
  )
  const found = measureRetrieval(question, [{ passage: withName, row: 0, score: 12 }], "fr", 100)
  const total = question.words.reduce((sum, { idf }) => sum + idf, 0)
  // The name and its three parts are equally rare, and count as two words of the four.
  expect(found.relativeScore).toBeCloseTo((12 * (2 / 4)) / total)
  expect(found.windowWords).toBe(1 / 4)
})

test("a compound that the documentation does not use as a whole counts as one word by its parts", () => {
  const parts = { compt: 5, exempl: 4, gouv: 4, fr: 4 }
  const { words } = readQuestion(
    { question: "exemple.gouv.fr", previous: [] },
    "fr",
    vocabularyOf(100, parts),
  )
  expect(words.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1)
  // A part that is unknown is missing, and counts as any missing word.
  const unknown = readQuestion(
    { question: "meteo.gouv.fr", previous: [] },
    "fr",
    vocabularyOf(100, parts),
  ).words
  expect(unknown.find(({ term }) => term === "meteo")).toMatchObject({ isKnown: false, weight: 1 })
  expect(unknown.find(({ term }) => term === "gouv")?.weight).toBe(0.5)
})
