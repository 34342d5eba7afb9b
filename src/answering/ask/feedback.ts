import { findProject } from "../../accounts/project.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import type { Limit } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import { type AdmitDeps, requireDeclaredOrigin } from "./admit.ts"
import { parseObject } from "./ask-request.ts"

/** Each change is a durable write, and everybody who knows the answer's id may send it. */
export const feedbackLimit = {
  key: "feedback",
  points: 10,
  per: "day",
  on: "answer",
} as const satisfies Limit

/**
 * Stores whether an answer helped, and why it did not; a later feedback replaces an earlier one, and an equal
 * one writes nothing.
 * Throws Refusal: `invalid_request`, `not_found`, `origin_not_allowed`, `rate_limited` after
 * `feedbackLimit`.
 */
export async function giveFeedback(
  { db, clock, timezone }: Pick<AdmitDeps, "db" | "clock" | "timezone">,
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const feedback = feedbackIn(parseObject(body))
  const before = await requireAnswerOfOrigin(db, answerId, origin)
  if (before.useful === feedback.useful && before.reason === feedback.reason) return
  const at = { timezone, nowMs: clock.now() }
  await db.transaction().execute(async (transaction) => {
    await take(transaction, feedbackLimit, answerId, at, detail("assistant.tooMuchFeedback"))
    await recordFeedback(transaction, answerId, feedback)
  })
}

/** Why an answer did not help. */
export const feedbackReasons = ["wrong", "incomplete", "outdated", "other"] as const
export type FeedbackReason = (typeof feedbackReasons)[number]

interface Feedback {
  useful: boolean
  reason: FeedbackReason | null
}

/** Throws Refusal `invalid_request`. */
function feedbackIn({ useful, reason = null }: Record<string, unknown>): Feedback {
  if (typeof useful !== "boolean") throw new Refusal("invalid_request", detail("assistant.useful"))
  const knownReason = feedbackReasons.find((each) => each === reason) ?? null
  if (reason !== null && (knownReason === null || useful))
    throw new Refusal("invalid_request", detail("assistant.reason", { choices: feedbackReasons }))
  return { useful, reason: knownReason }
}

/**
 * The stored pages of an answer and what its visitor said and opened, for the visitor's page that received it;
 * `useful` is null as long as there is no feedback. Throws Refusal: `not_found`, `origin_not_allowed`.
 */
export async function requireAnswerOfOrigin(db: Db, answerId: string, origin: string | null) {
  const row = await db
    .selectFrom("answer")
    .select(["project_id", "related", "opened", "useful", "reason"])
    .where("id", "=", answerId)
    .executeTakeFirst()
  const project = row && (await findProject(db, row.project_id))
  if (!row || !project) throw new Refusal("not_found", detail("assistant.answerNotFound"))
  requireDeclaredOrigin(project, origin)
  const { related, opened, useful, reason } = row
  return { related, opened, useful: useful === null ? null : useful === 1, reason }
}

export async function recordFeedback(db: Db, id: string, { useful, reason }: Feedback): Promise<void> {
  await changeRows(db, "answer", { id }, { useful: useful ? 1 : 0, reason })
}
