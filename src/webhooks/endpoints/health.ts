import { sql } from "kysely"
import { dayMs, hourMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { Late } from "../../db/tables/webhooks.ts"
import { type Failing, failuresByEndpoint } from "./failing.ts"
import { type HourSums, lastDeliveries, noSums, sumsByDay, sumsSince } from "./hour-sums.ts"
import { type Recovery, recoveriesByEndpoint } from "./recovery.ts"
import { replayable } from "./replayable.ts"

export interface EndpointHealth {
  /**
   * `bad`: messages were given up and can be replayed. `warn`: attempts fail, or failed within a day and the
   * endpoint has not recovered. `idle`: nothing happened. Every page that tells how an endpoint fares goes by it.
   */
  state: "good" | "warn" | "bad" | "idle"
  day: HourSums
  week: HourSums
  days: HourSums[]
  /** Deliveries with an attempt to come; counted up to `maxCountedBy.pending`. */
  pending: number
  /** Those of them whose last attempt failed, so that the next one is a retry. */
  retried: number
  /** Deliveries that were given up and that a replay sends; counted up to `maxCountedBy.abandoned`. */
  abandoned: number
  /** Deliveries that were cancelled and that a replay sends; counted up to `maxCountedBy.cancelled`. */
  cancelled: number
  lastDeliveredAtMs: number | undefined
  failing: Failing | undefined
  /** Attempts failed within a day, one succeeded after the last of them, and nothing waits to be retried. */
  recovered: Recovery | undefined
}

/**
 * Exact up to here: a reader of the list need not know more. Counting waiting deliveries reads their rows; counting
 * what a replay sends also reads the messages. A count may stand above these.
 */
export const maxCountedBy = { pending: 1000, abandoned: 100, cancelled: 100, replayable: 100 } as const

/** By id. `dayStartsMs` as `sumsByDay` takes them. */
export async function readHealth(
  db: Db,
  endpointIds: readonly string[],
  dayStartsMs: readonly number[],
  nowMs: number,
): Promise<Map<string, EndpointHealth>> {
  const [day, week, days, delivered, failures, counts] = await Promise.all([
    sumsSince(db, endpointIds, nowMs - dayMs),
    sumsSince(db, endpointIds, nowMs - 7 * dayMs),
    sumsByDay(db, endpointIds, dayStartsMs),
    lastDeliveries(db, endpointIds),
    failuresByEndpoint(db, endpointIds),
    countsByEndpoint(db, endpointIds),
  ])
  const all = endpointIds.map((id) => ({
    id,
    day: day.get(id) ?? noSums,
    week: week.get(id) ?? noSums,
    days: days.get(id) ?? [],
    ...(counts.get(id) ?? noCounts),
    lastDeliveredAtMs: delivered.get(id),
    failing: failures.get(id),
  }))
  const mayHaveRecovered = all.filter(
    ({ day, failing, retried, abandoned }) =>
      day.failedAttempts > 0 && !failing && retried === 0 && abandoned === 0,
  )
  // The hour in which the day begins counts whole in `day`.
  const fromMs = nowMs - dayMs - hourMs
  const recoveries = await recoveriesByEndpoint(db, idsOf(mayHaveRecovered), fromMs)
  return new Map(
    all.map(({ id, ...found }) => {
      const recovered = recoveries.get(id)
      return [id, { ...found, recovered, state: healthState({ ...found, recovered }) }]
    }),
  )
}

function healthState({
  abandoned,
  failing,
  day,
  recovered,
  lastDeliveredAtMs,
}: Omit<EndpointHealth, "state">) {
  if (abandoned > 0) return "bad"
  if (failing || (day.failedAttempts > 0 && !recovered)) return "warn"
  return lastDeliveredAtMs === undefined ? "idle" : "good"
}

export type Counts = Pick<EndpointHealth, "pending" | "retried" | "abandoned" | "cancelled">

const noCounts: Counts = { pending: 0, retried: 0, abandoned: 0, cancelled: 0 }

/** By id. In one statement for all of them, which stops at `mostCounted` deliveries of each. */
export async function countsByEndpoint(db: Db, endpointIds: readonly string[]): Promise<Map<string, Counts>> {
  if (endpointIds.length === 0) return new Map()
  const own = sql<string>`counted.id`
  // Retries are late and first attempts are not: each has its own bound, so that neither hides the other.
  const due = (late: Late) =>
    db
      .selectFrom("delivery")
      .select("delivery.attempts_made")
      .where("due_is_late", "=", sql.lit(late))
      .where("endpoint_id", "=", own)
      .where("due_at", "is not", null)
      .limit(sql.lit(maxCountedBy.pending))
  const held = db
    .selectFrom("delivery")
    .select("delivery.attempts_made")
    .where("waits_since", "is not", null)
    .where("endpoint_id", "=", own)
    .limit(sql.lit(maxCountedBy.pending))
  const waiting = sql`(SELECT * FROM (${due(0)}) AS early UNION ALL SELECT * FROM (${due(1)}) AS late
    UNION ALL SELECT * FROM (${held}) AS held)`
  const undelivered = (state: "failed" | "cancelled", atMost: number) =>
    replayable(db, state, 0)
      .select("delivery.number")
      .where("delivery.endpoint_id", "=", own)
      .limit(sql.lit(atMost))
  const failed = undelivered("failed", maxCountedBy.abandoned)
  const cancelled = undelivered("cancelled", maxCountedBy.cancelled)
  const rows = await db
    .selectFrom("endpoint as counted")
    .select("id")
    // SQLite (3.53) takes `count(*)` of such a union once, and gives every endpoint that of the first one.
    .select(sql<number>`(SELECT count(attempts_made) FROM ${waiting} AS due)`.as("pending"))
    .select(sql<number>`(SELECT count(*) FROM ${waiting} AS due WHERE attempts_made > 0)`.as("retried"))
    .select(sql<number>`(SELECT count(*) FROM ${failed} AS failed)`.as("abandoned"))
    .select(sql<number>`(SELECT count(*) FROM ${cancelled} AS cancelled)`.as("cancelled"))
    .where("id", "in", endpointIds)
    .execute()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** How many deliveries a replay sends, counted up to `maxCountedBy.replayable`. */
export function replayableCount({ abandoned, cancelled }: Pick<EndpointHealth, "abandoned" | "cancelled">) {
  return Math.min(abandoned + cancelled, maxCountedBy.replayable)
}
