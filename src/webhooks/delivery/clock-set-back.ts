import { sql } from "kysely"
import type { Db } from "../../db/sqlite/connection.ts"
import { automaticAttempts, longestWaitMs } from "./schedule.ts"

/**
 * After the clock was set back, what is due lies too far ahead. No due time may lie further ahead than its own wait: what does is brought
 * to there. It may come later than without the leap, but never early and never not at all.
 */
export async function bringDueTimesBack(transaction: Db, nowMs: number): Promise<void> {
  const waits = Array.from({ length: automaticAttempts }, (_, attemptsMade) => longestWaitMs(attemptsMade))
  const wait = sql`CASE attempts_made ${sql.join(
    waits.map((ms, made) => sql`WHEN ${made} THEN ${ms}`),
    sql` `,
  )} ELSE 0 END`
  await sql`UPDATE delivery SET due_at = ${nowMs} + ${wait}
    WHERE due_at > ${nowMs} AND due_at > ${nowMs} + ${wait}`.execute(transaction)
  await sql`UPDATE delivery SET resend_at = ${nowMs} WHERE resend_at > ${nowMs}`.execute(transaction)
}
