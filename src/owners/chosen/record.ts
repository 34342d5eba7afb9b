import { Type } from "@sinclair/typebox"
import { isLongerThan, singleSpaced } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { changeOf, httpAddress, questionText, text, textOrNull, time } from "../../http/record/schemas.ts"
import { chosenLimits } from "./chosen-answer.ts"

/** An answer that the owner wrote, as callers describe it and as replies show it. */

const { questions, questionLength, answerLength, sources } = chosenLimits

const phrasings = ruled(
  Type.Array(
    ruled(questionText, {
      read: (typed: string) => (isLongerThan(typed.trim(), questionLength) ? undefined : singleSpaced(typed)),
    }),
    { minItems: 1, maxItems: questions },
  ),
  { isWhole: true, read: distinct },
)
const answer = ruled(text({ minLength: 1, maxLength: answerLength }), {
  read(typed: string) {
    const plain = typed.replace(/\r\n?/g, "\n").trim()
    return isLongerThan(plain, answerLength) ? undefined : plain || undefined
  },
})
const addresses = ruled(
  Type.Array(ruled(httpAddress(), { read: (typed: string) => typed.trim() }), { maxItems: sources }),
  { read: distinct },
)

function distinct(typed: readonly string[]): string[] {
  return [...new Set(typed)].filter(Boolean)
}

export const newChosenAnswer = told(
  Type.Object(
    {
      questions: told(phrasings, "assistant.chosenQuestions", { maximum: questions }),
      answer: told(answer, "assistant.chosenLength", { maximum: answerLength }),
      sources: Type.Optional(told(addresses, "assistant.chosenSources", { maximum: sources })),
    },
    { $id: "NewChosenAnswer" },
  ),
  "assistant.invalidChosen",
)

export const chosenAnswerChange = changeOf(newChosenAnswer)

export const chosenAnswerRecord = Type.Object(
  {
    id: Type.String(),
    questions: Type.Array(Type.String()),
    answer: Type.String(),
    sources: Type.Array(
      Type.Object({
        url: Type.String(),
        title: textOrNull,
        section: textOrNull,
        found: Type.Boolean(),
      }),
    ),
    given: Type.Boolean(),
    created_at: time,
    changed_at: time,
  },
  { $id: "ChosenAnswer" },
)
