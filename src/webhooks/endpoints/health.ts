import { sql } from "kysely"
import { dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { type Failing, failuresOf } from "./failing.ts"
import { type HourSums, lastDeliveredOf, noSums, sumsByDay, sumsSince } from "./hour-sums.ts"

/** How an endpoint fares, for lists and the home page. */
export interface EndpointHealth {
  /** `bad`: messages were given up. `warn`: attempts fail, or failed within a day. `idle`: nothing happened. */
  state: "good" | "warn" | "bad" | "idle"
  day: HourSums
  week: HourSums
  /** One for each of the days that were asked for. */
  days: HourSums[]
  /** Deliveries with an attempt to come; counted up to `mostCounted`. */
  pending: number
  /** Deliveries that failed after all their attempts and can be replayed; counted up to `mostCounted`. */
  abandoned: number
  lastDeliveredAtMs: number | undefined
  /** Since when every attempt fails. */
  failing: Failing | undefined
}

/** Somebody who reads a list need not know more exactly. */
export const mostCounted = 1000

/** By id. `dayStartsMs` as `sumsByDay` takes them. */
export async function healthOf(
  db: Db,
  endpointIds: readonly string[],
  dayStartsMs: readonly number[],
  nowMs: number,
): Promise<Map<string, EndpointHealth>> {
  const [day, week, days, delivered, failures] = [
    await sumsSince(db, endpointIds, nowMs - dayMs),
    await sumsSince(db, endpointIds, nowMs - 7 * dayMs),
    await sumsByDay(db, endpointIds, dayStartsMs),
    await lastDeliveredOf(db, endpointIds),
    await failuresOf(db, endpointIds),
  ]
  const health = new Map<string, EndpointHealth>()
  for (const id of endpointIds) {
    const found = {
      day: day.get(id) ?? noSums,
      week: week.get(id) ?? noSums,
      days: days.get(id) ?? [],
      pending: await countPending(db, id),
      abandoned: await countAbandoned(db, id),
      lastDeliveredAtMs: delivered.get(id),
      failing: failures.get(id),
    }
    health.set(id, { ...found, state: stateOf(found) })
  }
  return health
}

function stateOf({ abandoned, failing, day, lastDeliveredAtMs }: Omit<EndpointHealth, "state">) {
  if (abandoned > 0) return "bad"
  if (failing || day.failedAttempts > 0) return "warn"
  return lastDeliveredAtMs === undefined ? "idle" : "good"
}

async function countPending(db: Db, endpointId: string): Promise<number> {
  const due = db
    .selectFrom("delivery")
    .select("number")
    .where("due_late", "in", [0, 1])
    .where("endpoint_id", "=", endpointId)
    .where("due_at", "is not", null)
    .limit(mostCounted)
  const { count } = await db
    .selectFrom(due.as("due"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}

/** Those whose payload was erased cannot be sent again, so they ask for nothing. */
export async function countAbandoned(
  db: Db,
  endpointId: string,
  { sinceMs = 0, atMost = mostCounted }: { sinceMs?: number; atMost?: number } = {},
): Promise<number> {
  const failed = db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("delivery.number")
    .where("delivery.endpoint_id", "=", endpointId)
    // A literal: SQLite uses the partial index only when the statement itself shows a state that it covers.
    .where("delivery.state", "=", sql.lit("failed" as const))
    .where("delivery.ended_at", ">=", sinceMs)
    .where("delivery.resend_at", "is", null)
    .where("message.payload", "is not", null)
    .limit(atMost)
  const { count } = await db
    .selectFrom(failed.as("failed"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}
