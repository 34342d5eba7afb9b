import { Type } from "@sinclair/typebox"
import { oneOf, questionText, source, text, textOrNull, time, timeOrNull } from "../../http/record/schemas.ts"

/** Trials of a project, of one question or of its evaluation set: as callers describe them and as replies show them. */

export const newEvaluationQuestion = Type.Object(
  {
    question: questionText,
    page: Type.Optional(text({ maxLength: 2048 })),
    text: Type.Optional(text({ maxLength: 500 })),
  },
  { $id: "NewEvaluationQuestion" },
)

export const evaluationRunChange = Type.Object({ accepted: Type.Boolean() }, { $id: "EvaluationRunChange" })

export const newTrial = Type.Object({ question: questionText }, { $id: "NewTrial" })

export const evaluationQuestionRecord = Type.Object(
  { id: Type.String(), question: Type.String(), page: textOrNull, text: textOrNull, created_at: time },
  { $id: "EvaluationQuestion" },
)

export const evaluationRunRecord = Type.Object(
  {
    id: Type.String(),
    started_at: time,
    ended_at: timeOrNull,
    total: Type.Integer(),
    passed: Type.Integer(),
    lost: Type.Integer(),
    accepted: Type.Boolean(),
    results: Type.Array(
      Type.Object({
        question: Type.String(),
        outcome: oneOf(["passed", "unanswered", "other_page", "other_text"]),
      }),
    ),
  },
  { $id: "EvaluationRun" },
)

export const startedEvaluation = Type.Object({ id: Type.String() }, { $id: "StartedEvaluation" })

export const trialRecord = Type.Object(
  {
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String(),
    sources: Type.Array(source),
    answerable: Type.Boolean(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    passages: Type.Array(
      Type.Object({ score: Type.Number(), title: Type.String(), section: textOrNull, url: Type.String() }),
    ),
  },
  { $id: "Trial" },
)
