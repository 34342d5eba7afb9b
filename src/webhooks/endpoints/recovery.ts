import { sql } from "kysely"
import type { Db } from "../../db/connection.ts"

/** An endpoint that took deliveries again after attempts had failed. */
export interface Recovery {
  /** When the first success after the last failure ended. Undefined: that failure lies further back in the log. */
  sinceMs: number | undefined
}

/** The newest deliveries that are looked at: attempts have no index by time, and a page waits for this. */
const mostLookedAt = 1000

/**
 * Whether an attempt at the endpoint succeeded after the last one that failed, within the attempts since
 * `fromMs`. The caller knows that nothing waits to be retried: whatever failed before the deliveries that are
 * looked at has ended since.
 */
export async function recoveryOf(db: Db, endpointId: string, fromMs: number): Promise<Recovery | undefined> {
  const newest = db
    .selectFrom("delivery")
    .select("number")
    .where("endpoint_id", "=", endpointId)
    .orderBy("id", "desc")
    .limit(mostLookedAt)
  const attempts = await db
    .selectFrom("attempt")
    .innerJoin(newest.as("newest"), "newest.number", "attempt.delivery_number")
    .select("outcome")
    .select(sql<number>`at + coalesce(duration_ms, 0)`.as("endedAt"))
    .where("outcome", "!=", "interrupted")
    .where("at", ">=", fromMs)
    .execute()
  const ends = (isSuccess: boolean) =>
    attempts
      .filter(({ outcome }) => (outcome === "delivered") === isSuccess)
      .map(({ endedAt }) => Number(endedAt))
  const lastFailure = ends(false).reduce((last, at) => Math.max(last, at), 0)
  const successes = ends(true).filter((at) => at > lastFailure)
  if (successes.length === 0) return undefined
  return { sinceMs: lastFailure === 0 ? undefined : successes.reduce((first, at) => Math.min(first, at)) }
}
