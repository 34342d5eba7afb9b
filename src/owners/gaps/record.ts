import { Type } from "@sinclair/typebox"
import { feedbackReasons } from "../../answering/ask/feedback.ts"
import { reasonsRecord } from "../../answering/retrieval/record.ts"
import { dayOrTime, oneOf, orNull, source, textOrNull, time } from "../../http/record/schemas.ts"
import { gapStates } from "./gaps.ts"

/** Visitors' questions with their answers, and those without one, as replies show them. */

export const answersQuery = Type.Object({
  status: Type.Optional(oneOf(["answered", "no_answer"])),
  useful: Type.Optional(oneOf(["true", "false"])),
  opened: Type.Optional(oneOf(["true", "false"])),
  since: Type.Optional(dayOrTime()),
})

export const answerRecord = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    page: textOrNull,
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String(),
    sources: Type.Array(source),
    reasons: reasonsRecord,
    useful: orNull(Type.Boolean()),
    reason: orNull(oneOf(feedbackReasons)),
    opened: Type.Array(Type.Integer()),
    conversation: textOrNull,
    chosen_answer: textOrNull,
    confidence: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    via: orNull(Type.Literal("mcp")),
    asked_at: time,
  },
  { $id: "Answer" },
)

export const sinceQuery = Type.Object({ since: Type.Optional(dayOrTime()) })

export const answerStatistics = Type.Object(
  {
    asked: Type.Integer(),
    answered: Type.Integer(),
    useful: Type.Integer(),
    useless: Type.Integer(),
    opened: Type.Integer(),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        asked: Type.Integer(),
        answered: Type.Integer(),
      }),
    ),
    unanswered: Type.Array(
      Type.Object({
        question: Type.String(),
        state: oneOf(["open", "treated", "off_topic"]),
        times: Type.Integer(),
        last_at: time,
        others: Type.Array(Type.String()),
      }),
    ),
  },
  { $id: "AnswerStatistics" },
)

export const gapRecord = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    others: Type.Array(Type.String()),
    times: Type.Integer(),
    last_at: time,
    state: oneOf(gapStates),
    nearest: Type.Array(Type.Object({ title: Type.String(), section: textOrNull, url: Type.String() })),
  },
  { $id: "Gap" },
)

export const gapChange = Type.Object({ state: oneOf(gapStates) }, { $id: "GapChange" })

export const gapMails = Type.Object(
  { operators: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }) },
  { $id: "GapMails" },
)
