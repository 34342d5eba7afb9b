import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import type { DeliveryState } from "../../db/tables/webhooks.ts"
import { matchesFilter } from "./endpoint-filter.ts"

export const replayedStates = ["cancelled", "failed"] as const
type ReplayedState = (typeof replayedStates)[number]

/** Attempts of one delivery: resending it again and again would make a page of it that takes too long to load. */
export const maxAttempts = 100

/** Those of these deliveries that were attempted so often. */
export async function exhausted(db: Db, numbers: readonly number[]): Promise<Set<number>> {
  if (numbers.length === 0) return new Set()
  const rows = await db
    .selectFrom("attempt")
    .select("delivery_number")
    .distinct()
    .where("delivery_number", "in", numbers)
    .where("number", ">=", maxAttempts)
    .execute()
  return new Set(rows.map(({ delivery_number }) => delivery_number))
}

/**
 * What a replay sends of the endpoints' deliveries, and what a person is shown before it: deliveries that failed or
 * were cancelled since `sinceMs`, wait for no attempt by hand, still have their payload and pass the endpoint's
 * present filter.
 */
export function replayable(db: Db, state: ReplayedState, sinceMs: number) {
  return db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .where(hasState(state))
    .where("delivery.ended_at", ">=", sinceMs)
    .where("delivery.resend_at", "is", null)
    .where("delivery.waits_since", "is", null)
    .where("message.payload", "is not", null)
    .where(matchesFilter())
}

/** How many deliveries a replay since `sinceMs` would send, by state, each counted up to `atMost`. */
export async function countReplayable(
  db: Db,
  endpointId: string,
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
): Promise<Record<ReplayedState, number>> {
  const [cancelled, failed] = await Promise.all(
    replayedStates.map(async (state) => {
      const limited = replayable(db, state, sinceMs)
        .select("delivery.number")
        .where("delivery.endpoint_id", "=", endpointId)
        .limit(atMost)
      const { count } = await db
        .selectFrom(limited.as("found"))
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
      return count
    }),
  )
  return { cancelled: cancelled as number, failed: failed as number }
}

/** SQLite takes the index of undelivered ones only where its condition is repeated word for word. */
export function hasState(state: DeliveryState): RawBuilder<boolean> {
  const isState = sql<boolean>`delivery.state = ${sql.lit(state)}`
  return state === "failed" || state === "cancelled"
    ? sql<boolean>`(${isState} AND delivery.state IN ('failed', 'cancelled'))`
    : isState
}
