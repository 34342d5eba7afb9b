import { sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import type { Claim } from "./queue.ts"
import { automaticAttempts, longestWaitMs } from "./retry-schedule.ts"

/** The due time of each claim in the database; null once its delivery was cancelled, erased or purged. */
export async function readDueTimes(
  transaction: Db,
  claims: readonly Claim[],
): Promise<Map<Claim, number | null>> {
  if (claims.length === 0) return new Map()
  const rows = await transaction
    .selectFrom("delivery")
    .select(["number", "due_at", "resend_at"])
    .where(
      "number",
      "in",
      claims.map(({ deliveryNumber }) => deliveryNumber),
    )
    .execute()
  const deliveries = new Map(rows.map((row) => [row.number, row]))
  return new Map(
    claims.map((claim) => {
      const delivery = deliveries.get(claim.deliveryNumber)
      return [claim, (claim.kind === "automatic" ? delivery?.due_at : delivery?.resend_at) ?? null]
    }),
  )
}

/**
 * Repairs the due times after the clock was set back: none stays further ahead than its own wait. An attempt
 * may come later than it would have, but it comes, and never early.
 */
export async function bringDueTimesBack(transaction: Db, nowMs: number): Promise<void> {
  const waits = Array.from({ length: automaticAttempts }, (_, attemptsMade) => longestWaitMs(attemptsMade))
  const longestWait = sql`CASE attempts_made ${sql.join(
    waits.map((ms, attemptsMade) => sql`WHEN ${sql.lit(attemptsMade)} THEN ${sql.lit(ms)}`),
    sql` `,
  )} ELSE 0 END`
  await sql`
    UPDATE delivery SET due_at = ${sql.lit(nowMs)} + ${longestWait}
    WHERE due_at > ${nowMs} AND due_at > ${sql.lit(nowMs)} + ${longestWait}`.execute(transaction)
  await sql`UPDATE delivery SET resend_at = ${nowMs} WHERE resend_at > ${nowMs}`.execute(transaction)
}
