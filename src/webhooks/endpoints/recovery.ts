import { sql } from "kysely"
import type { Db } from "../../db/connection.ts"

/** An endpoint that took deliveries again after attempts had failed. */
export interface Recovery {
  /** When the first success after the last failure ended. Undefined: that failure lies further back in the log. */
  sinceMs: number | undefined
}

/** Newest deliveries of an endpoint that are looked at: attempts have no index by time, and a page waits for this. */
const mostLookedAt = 1000
/** Deliveries of all endpoints together, where there are many. */
const mostInAll = 20_000

/**
 * The endpoints at which an attempt succeeded after the last one that failed, within the attempts since `fromMs`, by
 * id. In one statement for all of them. The caller knows that nothing waits to be retried: whatever failed before
 * the deliveries that are looked at has ended since.
 */
export async function recoveriesByEndpoint(
  db: Db,
  endpointIds: readonly string[],
  fromMs: number,
): Promise<Map<string, Recovery>> {
  if (endpointIds.length === 0) return new Map()
  const each = Math.max(Math.min(mostLookedAt, Math.floor(mostInAll / endpointIds.length)), 1)
  const newest = db
    .selectFrom("delivery")
    .select("number")
    .where("endpoint_id", "=", sql<string>`tried.id`)
    .orderBy("id", "desc")
    .limit(sql.lit(each))
  const endedAt = sql<number>`at + coalesce(duration_ms, 0)`
  const attempts = db
    .selectFrom("attempt")
    .innerJoin(newest.as("newest"), "newest.number", "attempt.delivery_number")
    .where("outcome", "!=", "interrupted")
    .where("at", ">=", fromMs)
  const lastFailure = attempts
    .select(({ fn }) => fn.coalesce(fn.max(endedAt), sql<number>`0`).as("at"))
    .where("outcome", "!=", "delivered")
  const tried = db
    .selectFrom("endpoint as tried")
    .select(["id", lastFailure.as("lastFailure")])
    .where("id", "in", endpointIds)
  const success = attempts
    .select(({ fn }) => fn.min(endedAt).as("at"))
    .where("outcome", "=", "delivered")
    .where(endedAt, ">", sql<number>`tried."lastFailure"`)
  const rows = await db
    .selectFrom(tried.as("tried"))
    .select(["id", "lastFailure", success.as("success")])
    .execute()
  return new Map(
    rows.flatMap(({ id, lastFailure, success }) =>
      success === null
        ? []
        : [[id, { sinceMs: Number(lastFailure) === 0 ? undefined : Number(success) }] as const],
    ),
  )
}
