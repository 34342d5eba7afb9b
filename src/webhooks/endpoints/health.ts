import { sql } from "kysely"
import { dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { replayable } from "../messages/replayable.ts"
import { type Failing, failuresOf } from "./failing.ts"
import { type HourSums, lastDeliveredOf, noSums, sumsByDay, sumsSince } from "./hour-sums.ts"

/** How an endpoint fares, for lists and the home page. */
export interface EndpointHealth {
  /**
   * `bad`: messages were given up and can be replayed. `warn`: attempts fail, or failed within a day. `idle`:
   * nothing happened. Every page that tells how an endpoint fares goes by it.
   */
  state: "good" | "warn" | "bad" | "idle"
  day: HourSums
  week: HourSums
  /** One for each of the days that were asked for. */
  days: HourSums[]
  /** Deliveries with an attempt to come; counted up to `mostCounted.pending`. */
  pending: number
  /** Deliveries that were given up and that a replay sends; counted up to `mostCounted.abandoned`. */
  abandoned: number
  /** undefined: never. */
  lastDeliveredAtMs: number | undefined
  /** Since when every attempt fails. */
  failing: Failing | undefined
}

/**
 * Somebody who reads a list need not know more exactly. Those that wait are counted in an index alone; of
 * those that were given up, the message is read too.
 */
export const mostCounted = { pending: 1000, abandoned: 100 } as const

/** By id. `dayStartsMs` as `sumsByDay` takes them. */
export async function healthOf(
  db: Db,
  endpointIds: readonly string[],
  dayStartsMs: readonly number[],
  nowMs: number,
): Promise<Map<string, EndpointHealth>> {
  const [day, week, days, delivered, failures, counts] = await Promise.all([
    sumsSince(db, endpointIds, nowMs - dayMs),
    sumsSince(db, endpointIds, nowMs - 7 * dayMs),
    sumsByDay(db, endpointIds, dayStartsMs),
    lastDeliveredOf(db, endpointIds),
    failuresOf(db, endpointIds),
    countsOf(db, endpointIds),
  ])
  const health = new Map<string, EndpointHealth>()
  for (const id of endpointIds) {
    const found = {
      day: day.get(id) ?? noSums,
      week: week.get(id) ?? noSums,
      days: days.get(id) ?? [],
      ...(counts.get(id) ?? { pending: 0, abandoned: 0 }),
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

type Counts = Pick<EndpointHealth, "pending" | "abandoned">

/** In one statement for all of them, which stops at `mostCounted` deliveries of each. */
async function countsOf(db: Db, endpointIds: readonly string[]): Promise<Map<string, Counts>> {
  if (endpointIds.length === 0) return new Map()
  const own = sql<string>`counted.id`
  const due = db
    .selectFrom("delivery")
    .select("delivery.number")
    .where("due_late", "in", [0, 1])
    .where("endpoint_id", "=", own)
    .where("due_at", "is not", null)
    .limit(sql.lit(mostCounted.pending))
  const failed = replayable(db, "failed", 0)
    .select("delivery.number")
    .where("delivery.endpoint_id", "=", own)
    .limit(sql.lit(mostCounted.abandoned))
  const rows = await db
    .selectFrom("endpoint as counted")
    .select("id")
    .select(sql<number>`(SELECT count(*) FROM ${due} AS due)`.as("pending"))
    .select(sql<number>`(SELECT count(*) FROM ${failed} AS failed)`.as("abandoned"))
    .where("id", "in", endpointIds)
    .execute()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
