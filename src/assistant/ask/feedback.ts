import { findProject } from "../../accounts/project.ts"
import { dayIn, secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { countUpTo } from "../../db/count.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { type AdmitDeps, requireDeclaredOrigin } from "./admit.ts"
import { parseObject } from "./ask-request.ts"

/** Per answer and day. Each change is a durable write, and everybody who knows the answer's id may send it. */
export const maxFeedbackChanges = 10

/**
 * Stores whether an answer helped; a later feedback replaces an earlier one, and an equal one writes nothing.
 * Throws Refusal: `invalid_request`, `not_found`, `origin_not_allowed`, `rate_limited` after
 * `maxFeedbackChanges`.
 */
export async function giveFeedback(
  { db, clock, timezone }: Pick<AdmitDeps, "db" | "clock" | "timezone">,
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

/** The project of an answer and its feedback; `useful` is null as long as there is none. */
async function feedbackOf(
  db: Db,
  id: string,
): Promise<{ projectId: string; useful: boolean | null } | undefined> {
  const row = await db
    .selectFrom("answer")
    .select(["project_id", "useful"])
    .where("id", "=", id)
    .executeTakeFirst()
  return row && { projectId: row.project_id, useful: row.useful === null ? null : row.useful === 1 }
}

export async function recordUseful(db: Db, id: string, useful: boolean): Promise<void> {
  await db
    .updateTable("answer")
    .set({ useful: useful ? 1 : 0 })
    .where("id", "=", id)
    .execute()
}
