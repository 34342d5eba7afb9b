import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { leaseMs } from "./claim.ts"
import { automaticAttempts, longestWaitMs } from "./schedule.ts"

/**
 * After the clock was set back, what is due lies too far ahead. No due time may lie further ahead than its own wait, no claim
 * further than a lease: what does is brought to there. It may come later than without the leap, but never early and never not at all.
 */
export async function bringDueTimesBack(transaction: Db, nowMs: number): Promise<void> {
  const waits = Array.from({ length: automaticAttempts }, (_, attemptsMade) => longestWaitMs(attemptsMade))
  const attemptsMade = sql`(SELECT attempts_made FROM delivery WHERE id = due_attempt.delivery_id)`
  const wait = sql`CASE
    WHEN kind = 'manual' THEN 0
    ${sql.join(
      waits.map((ms, made) => sql`WHEN ${attemptsMade} = ${made} THEN ${ms}`),
      sql` `,
    )}
    ELSE 0 END`
  await sql`UPDATE due_attempt SET due_at = ${nowMs} + ${wait}
    WHERE due_at > ${nowMs} AND due_at > ${nowMs} + ${wait}`.execute(transaction)
  await transaction
    .updateTable("due_attempt")
    .set({ leased_until: nowMs + leaseMs })
    .where("leased_until", ">", nowMs + leaseMs)
    .execute()
}
