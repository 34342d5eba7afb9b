import { expect, test } from "bun:test"
import { parseAnswerTexts, scoreAnswers } from "../../../src/owners/evaluation/answer-scores.ts"
import type { EvalQuestion } from "../../../src/owners/evaluation/question-file.ts"
import type { EvalReply } from "../../../src/owners/evaluation/scores.ts"

const question = (id: string, over: Partial<EvalQuestion> = {}): EvalQuestion => ({
  id,
  question: "?",
  answerable: true,
  pages: ["guide"],
  kind: "howto",
  ...over,
})
const reply = (text: string, answered = true): EvalReply => ({ ranked: [], answered, text, cited: [] })
const scores = (text: string, texts: string[]) =>
  scoreAnswers([[question("1"), reply(text)]], new Map([["1", texts]]))

test("a reply holds a text whatever its case, marks, markers, link addresses, apostrophes and blanks", () => {
  const text = "Lancez **`guichet  serve`** [ici](https://exemple.fr/a_(b)?c) :\nl’index [^1] est prêt. [^2]"
  for (const held of ["guichet serve ici", "L'INDEX est prêt", "l’index est prêt."])
    expect(scores(text, ["absent", held]).holds, held).toBe(1)
  expect(scores(text, ["guichet stop"]).holds).toBe(0)
})

test("a text is held early when it ends within the first 80 words", () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `mot${at}`).join(" ")
  expect(scores(`${words(79)} fin`, ["fin"]).held_early).toBe(1)
  expect(scores(`${words(80)} fin`, ["fin"])).toMatchObject({ holds: 1, held_early: 0 })
})

test("blocks are counted by their markers, and words without them", () => {
  const { blocks, words } = scores("Un deux. [^1]\n\nTrois quatre cinq. [^2][^1]", ["deux"])
  expect([blocks, words]).toEqual([2, { median: 5, p90: 5 }])
})

test("refused, near the topic and outside are told apart, and questions without texts are left out", () => {
  const unanswerable = (id: string, kind: string) => question(id, { answerable: false, kind, pages: [] })
  const result = scoreAnswers(
    [
      [question("1"), reply("La réponse. [^1]")],
      [question("2"), reply("Rien.", false)],
      [question("3"), reply("Autre. [^1]")],
      [unanswerable("4", "neartopic"), reply("Faux. [^1]")],
      [unanswerable("5", "absentfact"), reply("Rien.", false)],
      [unanswerable("6", "outside"), reply("Rien.", false)],
    ],
    new Map([
      ["1", ["la réponse"]],
      ["2", ["rien"]],
      ["3", []],
    ]),
  )
  expect(result).toMatchObject({ holds: 0.5, held_early: 1, refused: 1, near_topic: 0.5, outside: 0 })
})

test("an answer file names its first invalid line", () => {
  expect(
    parseAnswerTexts('{"id":"1","texts":["a"],"type":"fact"}\n\n{"id":"2","texts":[]}').get("1"),
  ).toEqual(["a"])
  for (const wrong of ["not json", '{"id":1,"texts":[]}', '{"id":"1","texts":"a"}'])
    expect(() => parseAnswerTexts(`{"id":"1","texts":[]}\n${wrong}`)).toThrow("line 2")
})
