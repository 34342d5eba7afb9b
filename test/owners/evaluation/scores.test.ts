import { expect, test } from "bun:test"
import { type EvalQuestion, parseQuestions } from "../../../src/owners/evaluation/question-file.ts"
import { type EvalReply, scoreReplies } from "../../../src/owners/evaluation/scores.ts"

const question = (over: Partial<EvalQuestion> = {}): EvalQuestion => ({
  id: "q",
  question: "?",
  answerable: true,
  pages: ["guide/a"],
  kind: "howto",
  ...over,
})
const reply = (ranked: string[], cited: string[] = [], answered = cited.length > 0): EvalReply => ({
  ranked,
  answered,
  text: "",
  cited,
})

test("ranks count pages, not passages", () => {
  const scores = scoreReplies([[question(), reply(["guide/b", "guide/b", "guide/b", "guide/a"])]])
  expect(scores).toMatchObject({ hit1: 0, hit5: 1, mrr10: 0.5 })
})

test("any of the right pages is a hit, a final /index is optional", () => {
  const pages = ["guide/x", "guide/a/index"]
  expect(scoreReplies([[question({ pages }), reply(["guide/a"])]])).toMatchObject({ hit1: 1, mrr10: 1 })
  expect(scoreReplies([[question({ pages: ["guide"] }), reply(["guide/index"])]])).toMatchObject({ hit1: 1 })
})

test("follow-ups are ranked apart, unanswerable questions not at all", () => {
  const scores = scoreReplies([
    [question(), reply(["guide/a"])],
    [question({ previous: "?" }), reply(["guide/b"])],
    [question({ answerable: false, pages: [], kind: "outside" }), reply(["guide/b"])],
  ])
  expect(scores).toMatchObject({ hit5: 1, followup_hit5: 0, questions: 3 })
})

test("only answered answerable questions count for what is cited", () => {
  const scores = scoreReplies([
    [question(), reply(["guide/a"], ["guide/b", "guide/a"])],
    [question(), reply(["guide/a"], ["guide/b"])],
    [question(), reply(["guide/a"])],
    [question({ answerable: false, kind: "outside" }), reply([], ["guide/a"])],
  ])
  expect(scores.cited).toBe(0.5)
  expect(scores.answered).toEqual({ howto: 2 / 3, outside: 1 })
})

test("without questions every score is null", () => {
  expect(scoreReplies([])).toEqual({
    hit1: null,
    hit5: null,
    mrr10: null,
    followup_hit5: null,
    cited: null,
    answered: {},
    questions: 0,
  })
})

test("an invalid line is reported by its number", () => {
  const good = JSON.stringify(question())
  expect(parseQuestions(`${good}\n\n${good}\n`)).toHaveLength(2)
  expect(() => parseQuestions(`${good}\nnot json`)).toThrow("line 2")
  expect(() => parseQuestions('{"question":"?"}')).toThrow("line 1")
})

test("a question may follow one other or several", () => {
  const lines = ["a", ["a", "b"]].map((previous) => JSON.stringify({ ...question(), previous }))
  expect(parseQuestions(lines.join("\n")).map(({ previous }) => previous)).toEqual(["a", ["a", "b"]])
  expect(() => parseQuestions(JSON.stringify({ ...question(), previous: [1] }))).toThrow("line 1")
})
