import { expect, test } from "bun:test"
import type { Vocabulary } from "../../../src/assistant/index/vocabulary.ts"
import { decide, threshold } from "../../../src/assistant/retrieval/decide.ts"
import { readQuestion } from "../../../src/assistant/retrieval/question.ts"
import { type Signals, signalsOf } from "../../../src/assistant/retrieval/signals.ts"
import { analyse } from "../../../src/assistant/text/analyse.ts"
import { passage } from "../../support/passages.ts"
import { workedMs } from "../../support/work.ts"

const vocabulary = vocabularyOf(100, { sauvegarde: 5, base: 20, service: 60, nuit: 2 })
const best = passage("sauvegarder", "Sauvegarder", "La base est copiée chaque nuit, en 30 secondes.")
const signals = (question: string, previous: string[] = [], found = best): Signals =>
  signalsOf(
    readQuestion(
      { question, previous: previous.map((earlier) => ({ question: earlier })) },
      "fr",
      vocabulary,
    ),
    [{ passage: found, score: 5 }],
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
  expect(signals("La base, qui la sauvegarde ?").asksWho).toBe(0)
})

test("words of earlier questions count half, and never as unknown", () => {
  const { unknownShare, windowWords } = signals("et la nuit ?", ["sauvegarder la base sur Neptune"])
  expect(unknownShare).toBe(0)
  expect(windowWords).toBe((1 + 2 * 0.5) / 4)
})

test("no passage, or no word to go by, is refused", () => {
  const noSignals = signalsOf(
    readQuestion({ question: "base", previous: [] }, "fr", vocabulary),
    [],
    "fr",
    100,
  )
  expect(decide(noSignals).answerable).toBe(false)
  expect(decide(signals("de la ?")).answerable).toBe(false)
})

test("a passage of megabytes is judged by its beginning, in no time", () => {
  const endless = passage("code", "Code", `La base. ${"sauvegarde base service ".repeat(100_000)}`)
  const work = workedMs()
  expect(signals("sauvegarder la base", [], endless).windowCoverage).toBe(1)
  expect(work()).toBeLessThan(500)
})

test("words count together within thirty consecutive words", () => {
  const apart = (words: number) =>
    passage("x", "Titre", `Une base ${"truc ".repeat(words)} et un service sauvegardé.`)
  const near = signals("sauvegarder la base du service", [], apart(20)).windowCoverage
  const far = signals("sauvegarder la base du service", [], apart(40)).windowCoverage
  expect(near).toBeCloseTo(1)
  expect(far).toBeLessThan(near)
})

test("confidence lies between 0 and 1 and decides at the threshold", () => {
  for (const question of ["sauvegarder la base chaque nuit", "Neptune"]) {
    const { confidence, answerable } = decide(signals(question))
    expect(confidence).toBeWithin(0, 1)
    expect(answerable).toBe(confidence >= threshold)
  }
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
