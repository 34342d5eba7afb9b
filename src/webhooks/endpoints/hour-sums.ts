import { sql } from "kysely"
import { dayMs, hourMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { eachObject } from "../../db/words.ts"

export interface HourSums {
  delivered: number
  failedAttempts: number
  givenUp: number
}

export const noSums: HourSums = { delivered: 0, failedAttempts: 0, givenUp: 0 }

/** Twice as long as the log, and a day more, so that thirty whole days can be shown beside the thirty before. */
export const hoursKeptMs = 61 * dayMs

/** The counters of each of these endpoints since `sinceMs`, by id. The hour of `sinceMs` counts whole. */
export async function sumsSince(
  db: Db,
  endpointIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, HourSums>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("endpoint_hour")
    .select("endpoint_id")
    .select(added)
    .where("endpoint_id", "in", endpointIds)
    .where("hour_at", ">", sinceMs - hourMs)
    .groupBy("endpoint_id")
    .execute()
  return new Map(rows.map(({ endpoint_id, ...row }) => [endpoint_id, numbers(row)]))
}

/**
 * The counters of each of these endpoints on each day, by id, the oldest day first. `dayStartsMs`: when each of
 * the days begins, in order; the last one has not ended. Every id has all days.
 */
export async function sumsByDay(
  db: Db,
  endpointIds: readonly string[],
  dayStartsMs: readonly number[],
): Promise<Map<string, HourSums[]>> {
  const days = new Map(endpointIds.map((id) => [id, dayStartsMs.map(() => noSums)]))
  if (endpointIds.length === 0) return days
  const wanted = dayStartsMs.map((fromMs, day) => ({
    day,
    fromMs,
    toMs: dayStartsMs[day + 1] ?? Number.MAX_SAFE_INTEGER,
  }))
  const span = sql<{ day: number; from_ms: number; to_ms: number }>`(
    SELECT CAST(value ->> 'day' AS bigint) AS day, CAST(value ->> 'fromMs' AS bigint) AS from_ms,
      CAST(value ->> 'toMs' AS bigint) AS to_ms
    FROM ${eachObject(db, JSON.stringify(wanted))})`.as("span")
  const rows = await db
    .selectFrom(span)
    // SQLite keeps the order of a cross join: each day is a range of the key, instead of each hour every day.
    .crossJoin("endpoint_hour")
    .where("endpoint_id", "in", endpointIds)
    .whereRef("hour_at", ">=", "span.from_ms")
    .whereRef("hour_at", "<", "span.to_ms")
    .select(["endpoint_id as endpointId", "day"])
    .select(added)
    .groupBy(["endpoint_id", "day"])
    .execute()
  for (const { endpointId, day, delivered, failedAttempts, givenUp } of rows)
    (days.get(endpointId) as HourSums[])[day] = numbers({ delivered, failedAttempts, givenUp })
  return days
}

/** When each of these endpoints last took a delivery, by id, however long ago. Missing: never. */
export async function lastDeliveries(db: Db, endpointIds: readonly string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("endpoint_hour")
    .select(({ fn }) => ["endpoint_id", fn.max<number>("last_delivered_at").as("at")])
    .where("endpoint_id", "in", endpointIds)
    .where("last_delivered_at", "is not", null)
    .groupBy("endpoint_id")
    .execute()
  return new Map(rows.map(({ endpoint_id, at }) => [endpoint_id, at]))
}

const added = [
  sql<number>`sum(delivered)`.as("delivered"),
  sql<number>`sum(failed_attempts)`.as("failedAttempts"),
  sql<number>`sum(given_up)`.as("givenUp"),
]

/** PostgreSQL gives a sum of whole numbers as a text. */
function numbers({ delivered, failedAttempts, givenUp }: HourSums): HourSums {
  return { delivered: Number(delivered), failedAttempts: Number(failedAttempts), givenUp: Number(givenUp) }
}

/** The last hour in which an endpoint took a delivery stays: that it ever took one is not forgotten. */
export async function purgeHours(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "endpoint_hour", ({ and, eb, exists, or, selectFrom }) =>
    and([
      eb("hour_at", "<", nowMs - hoursKeptMs),
      or([
        eb("last_delivered_at", "is", null),
        exists(
          selectFrom("endpoint_hour as later")
            .select("later.hour_at")
            .whereRef("later.endpoint_id", "=", "endpoint_hour.endpoint_id")
            .whereRef("later.hour_at", ">", "endpoint_hour.hour_at")
            .where("later.last_delivered_at", "is not", null),
        ),
      ]),
    ]),
  )
}
