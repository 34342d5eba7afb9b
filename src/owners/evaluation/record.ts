import { Type } from "@sinclair/typebox"
import { reasonsRecord } from "../../answering/retrieval/record.ts"
import { normalisedPath } from "../../answering/retrieval/retrieve.ts"
import { isLongerThan, maxUrlLength, parsedUrl, singleSpaced } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import {
  matching,
  oneOf,
  questionText,
  source,
  text,
  textOrNull,
  time,
  timeOrNull,
} from "../../http/record/schemas.ts"
import { setLimits } from "./question-set.ts"

/** Trials of a project, of one question or of its evaluation set: as callers describe them and as replies show them. */

const question = ruled(questionText, {
  read(typed: string) {
    const plain = spaced(typed, setLimits.questionLength)
    return plain !== undefined && plain.length >= 2 ? plain : undefined
  },
})
const expected = ruled(text({ maxLength: setLimits.textLength }), {
  read: (typed: string) => spaced(typed, setLimits.textLength),
})
const page = ruled(text({ maxLength: maxUrlLength }), { read: parsePath })

export const newEvaluationQuestion = told(
  Type.Object(
    {
      question: told(question, "assistant.setQuestion"),
      page: Type.Optional(told(page, "assistant.setPage")),
      text: Type.Optional(told(expected, "assistant.setText", { maximum: setLimits.textLength })),
    },
    { $id: "NewEvaluationQuestion" },
  ),
  "assistant.invalidSetQuestion",
)

function spaced(typed: string, maxLength: number): string | undefined {
  return isLongerThan(typed.trim(), maxLength) ? undefined : singleSpaced(typed)
}

/** `/guide/install` of an address or a path; empty for nothing, undefined for what is neither. */
function parsePath(typed: string): string | undefined {
  const plain = typed.trim()
  if (plain === "") return ""
  if (plain.length > maxUrlLength) return undefined
  const path = /^https?:\/\//i.test(plain)
    ? parsedUrl(plain)?.pathname
    : plain.startsWith("/")
      ? plain
      : `/${plain}`
  return path && normalisedPath(path)
}

export const evaluationRunChange = Type.Object({ accepted: Type.Boolean() }, { $id: "EvaluationRunChange" })

/** `tryOut` says what is wrong with the question, as a visitor is told. */
export const newTrial = Type.Object(
  {
    question: ruled(questionText, { read: (typed: string) => typed }),
    page: Type.Optional(matching(/^\//, { maxLength: 512 })),
    edition: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { $id: "NewTrial" },
)

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
    reasons: reasonsRecord,
    answerable: Type.Boolean(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    passages: Type.Array(
      Type.Object({ score: Type.Number(), title: Type.String(), section: textOrNull, url: Type.String() }),
    ),
  },
  { $id: "Trial" },
)
