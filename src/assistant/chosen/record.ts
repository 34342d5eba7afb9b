import { Type } from "@sinclair/typebox"
import { changeOf, httpAddress, questionText, text, textOrNull, time } from "../../http/record/schemas.ts"

/** An answer that the owner wrote, as callers describe it and as replies show it. */

export const newChosenAnswer = Type.Object(
  {
    questions: Type.Array(questionText, { minItems: 1, maxItems: 10 }),
    answer: text({ minLength: 1, maxLength: 5000 }),
    sources: Type.Array(httpAddress(), { minItems: 1, maxItems: 10 }),
  },
  { $id: "NewChosenAnswer" },
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
