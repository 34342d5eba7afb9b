import { findProject } from "../../accounts/project.ts"
import { dayIn, secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { countUpTo } from "../../db/count.ts"
import { type Assistant, requireDeclaredOrigin } from "./ask.ts"
import { parseObject } from "./ask-request.ts"
import { feedbackOf, recordUseful } from "./kept-answer.ts"

/** Per answer and day. Each one is a durable write, and whoever knows the answer may send it. */
export const maxFeedbackChanges = 10

/**
 * Keeps whether an answer helped; the last word counts, and the same word again writes nothing. Throws Refusal:
 * `invalid_request`, `not_found`, `origin_not_allowed`, `rate_limited` after `maxFeedbackChanges`.
 */
export async function giveFeedback(
  { db, clock, timezone }: Assistant,
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const { useful } = parseObject(body)
  if (typeof useful !== "boolean") throw new Refusal("invalid_request", detail("assistant.useful"))
  const given = await feedbackOf(db, answerId)
  const project = given && (await findProject(db, given.projectId))
  if (!project) throw new Refusal("not_found", detail("assistant.answerNotFound"))
  requireDeclaredOrigin(project, origin)
  if (given.useful === useful) return
  const nowMs = clock.now()
  const counted = { subject: `feedback:${answerId}`, period: dayIn(timezone, nowMs) }
  await db.transaction().execute(async (transaction) => {
    if (!(await countUpTo(transaction, counted, maxFeedbackChanges)))
      throw new Refusal("rate_limited", detail("assistant.tooMuchFeedback"), {
        reason: `feedback on one answer changes ${maxFeedbackChanges} times a day at most`,
        retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
      })
    await recordUseful(transaction, answerId, useful)
  })
}
