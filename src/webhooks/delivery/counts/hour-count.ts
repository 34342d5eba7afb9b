import { sql } from "kysely"
import { hourMs } from "../../../base/clock.ts"
import type { Db } from "../../../db/connection.ts"
import { prepared } from "../../../db/prepared.ts"
import { eachObject } from "../../../db/words.ts"
import { isDelivered, type ResultRow } from "../complete.ts"
import type { HourCount } from "../queue.ts"

/** Gathers what a batch adds, so that one statement writes it, however many deliveries there are. */
export interface HourCounts {
  addKept(rows: readonly ResultRow[]): void
  /** Successes that settle their delivery, and the numbers of the deliveries that were still undelivered. */
  addSettled(rows: readonly ResultRow[], undelivered: ReadonlySet<number>): void
  addFailed(rows: readonly ResultRow[]): void
  all(): HourCount[]
}

export function openHourCounts(): HourCounts {
  const counts = new Map<string, HourCount>()

  function countFor({ endpointId, attemptEndedAtMs }: ResultRow): HourCount {
    const hourAtMs = startOfHour(attemptEndedAtMs)
    const key = `${endpointId} ${hourAtMs}`
    const existing = counts.get(key)
    if (existing) return existing
    const count = {
      endpointId,
      hourAtMs,
      delivered: 0,
      failedAttempts: 0,
      givenUp: 0,
      lastDeliveredAtMs: null,
    }
    counts.set(key, count)
    return count
  }

  function addDelivered(row: ResultRow): void {
    const count = countFor(row)
    count.delivered++
    count.lastDeliveredAtMs = Math.max(count.lastDeliveredAtMs ?? 0, row.attemptEndedAtMs)
  }

  return {
    addKept(rows) {
      for (const row of rows) {
        if (row.kind === "automatic" && isDelivered(row)) addDelivered(row)
        if (row.state === "failed") countFor(row).givenUp++
      }
    },
    addSettled(rows, undelivered) {
      const settled = new Map(rows.map((row) => [row.deliveryNumber, row]))
      for (const row of settled.values()) if (undelivered.has(row.deliveryNumber)) addDelivered(row)
    },
    addFailed(rows) {
      for (const row of rows)
        if (!isDelivered(row) && row.outcome !== "interrupted") countFor(row).failedAttempts++
    },
    all: () => [...counts.values()],
  }
}

export function startOfHour(atMs: number): number {
  return Math.floor(atMs / hourMs) * hourMs
}

/** Adds the counts of a batch in one statement. Nothing is counted of an endpoint that was deleted. */
export function openAddToHours(db: Db) {
  const add = addStatement(db)

  return async (transaction: Db, counts: readonly HourCount[]): Promise<void> => {
    if (counts.length > 0) await add(transaction, { counts: JSON.stringify(counts) })
  }
}

/** The order is one everywhere, so that no two nodes wait for each other. */
function addStatement(db: Db) {
  return prepared<{ counts: string }>((value) =>
    sql`
      INSERT INTO endpoint_hour (endpoint_id, hour_at, delivered, failed_attempts, given_up, last_delivered_at)
      SELECT endpoint.id, CAST(value ->> 'hourAtMs' AS bigint), CAST(value ->> 'delivered' AS bigint),
        CAST(value ->> 'failedAttempts' AS bigint), CAST(value ->> 'givenUp' AS bigint),
        CAST(value ->> 'lastDeliveredAtMs' AS bigint)
      FROM ${eachObject(db, value("counts"))} JOIN endpoint ON endpoint.id = value ->> 'endpointId'
      WHERE true
      ORDER BY 1, 2
      ON CONFLICT (endpoint_id, hour_at) DO UPDATE SET
        delivered = endpoint_hour.delivered + excluded.delivered,
        failed_attempts = endpoint_hour.failed_attempts + excluded.failed_attempts,
        given_up = endpoint_hour.given_up + excluded.given_up,
        last_delivered_at = CASE
          WHEN excluded.last_delivered_at > coalesce(endpoint_hour.last_delivered_at, 0)
          THEN excluded.last_delivered_at ELSE endpoint_hour.last_delivered_at END`.compile(db),
  )
}
