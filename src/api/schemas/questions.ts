import { type Static, Type } from "@sinclair/typebox"
import { gapStates } from "../../assistant/insights/gaps.ts"
import { dayOrTime, oneOf, textOrNull, time, timeOrNull } from "../../http/schemas.ts"

/** Request and response bodies of what visitors did not get answered, and of the evaluation set. */

export const gapsQuery = Type.Object({
  since: Type.Optional(dayOrTime({ description: "90 days ago when absent" })),
})

export const gapAnswer = Type.Object(
  {
    id: Type.String({ description: "of the latest of these answers" }),
    question: Type.String({ description: "the most frequent phrasing" }),
    others: Type.Array(Type.String(), { description: "the other phrasings" }),
    times: Type.Integer(),
    last_at: time,
    state: oneOf(gapStates, { description: "`open` again once it is asked after it was treated" }),
    nearest: Type.Array(Type.Object({ title: Type.String(), section: textOrNull, url: Type.String() }), {
      description: "the pages that came nearest; none for what the documentation is not about",
    }),
  },
  { $id: "Gap" },
)
export type GapAnswer = Static<typeof gapAnswer>

export const gapsAnswer = Type.Object({
  items: Type.Array(gapAnswer, { description: "the most frequent first; at most 100" }),
})

export const evaluationQuestionAnswer = Type.Object(
  { id: Type.String(), question: Type.String(), page: textOrNull, text: textOrNull, created_at: time },
  { $id: "EvaluationQuestion" },
)

export const evaluationRunAnswer = Type.Object(
  {
    id: Type.String(),
    started_at: time,
    ended_at: timeOrNull,
    total: Type.Integer(),
    passed: Type.Integer(),
    lost: Type.Integer({ description: "questions fewer than in the run that it is compared with" }),
    accepted: Type.Boolean({ description: "the owner agrees with what was lost" }),
    results: Type.Array(
      Type.Object({
        question: Type.String({ description: "id of a question of the set" }),
        outcome: oneOf(["passed", "unanswered", "other_page", "other_text"]),
      }),
    ),
  },
  { $id: "EvaluationRun" },
)
export type EvaluationRunAnswer = Static<typeof evaluationRunAnswer>

export const startedEvaluation = Type.Object({ id: Type.String() }, { $id: "StartedEvaluation" })
