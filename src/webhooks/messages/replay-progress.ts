import { sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import { dueColumns } from "../../db/tables/webhooks.ts"
import { withLock } from "../../db/with-lock.ts"
import { cancel } from "../endpoints/cancel.ts"

/** How far a replay has come. The rest of what it sent was stopped. */
export interface ReplayProgress {
  waiting: number
  delivered: number
  /** The last attempt failed, whether Guichet tries again by itself or not. */
  failed: number
}

export const maxCounted = 10_000

/**
 * A replay is known by its time, which stands in every delivery that it made due: it waits until an attempt has moved
 * that. Counts `maxCounted` deliveries at most.
 */
export async function replayProgress(
  db: Db,
  endpointId: string,
  replayedAtMs: number,
): Promise<ReplayProgress> {
  const isDue = sql`coalesce(due_at = ${replayedAtMs} OR resend_at = ${replayedAtMs} OR waits_since IS NOT NULL, FALSE)`
  const result = sql<keyof ReplayProgress>`CASE WHEN ${isDue} OR last_outcome = 'interrupted' THEN 'waiting'
    WHEN last_outcome = 'delivered' THEN 'delivered' ELSE 'failed' END`
  const counted = db
    .selectFrom("delivery")
    .select(result.as("result"))
    .where("endpoint_id", "=", endpointId)
    .where("replayed_at", "=", replayedAtMs)
    .limit(maxCounted)
  const rows = await db
    .selectFrom(counted.as("counted"))
    .select(({ fn }) => ["result", fn.countAll<number>().as("count")])
    .groupBy("result")
    .execute()
  const progress = { waiting: 0, delivered: 0, failed: 0 }
  for (const { result, count } of rows) progress[result] = Number(count)
  const { length: waiting } = await remaining(db, endpointId, replayedAtMs, maxCounted)
  return { ...progress, waiting: Math.max(progress.waiting, waiting) }
}

/** Transactions stay small, so that others do not wait behind a long one. */
const batchSize = 500

/** Stops a replay. What is in flight runs to its end. Resolves to the number of deliveries that are not sent. */
export async function cancelReplay(db: Db, endpointId: string, replayedAtMs: number, nowMs: number) {
  let cancelled = 0
  for (let isOver = false; !isOver; await Bun.sleep(0)) {
    const done = await withLock(db, `endpoint:${endpointId}`, async (transaction) => {
      const numbers = await remaining(transaction, endpointId, replayedAtMs, batchSize)
      await cancel(transaction, numbers, nowMs)
      return numbers.length
    })
    cancelled += done
    isOver = done < batchSize
  }
  return cancelled
}

async function remaining(db: Db, endpointId: string, replayedAtMs: number, atMost: number) {
  const numbers: number[] = []
  for (const [dueAt, isLate] of dueColumns) {
    const rows = await db
      .selectFrom("delivery")
      .select("number")
      .where(isLate, "=", 1)
      .where("endpoint_id", "=", endpointId)
      .where(dueAt, "=", replayedAtMs)
      .limit(atMost - numbers.length)
      .execute()
    numbers.push(...rows.map(({ number }) => number))
  }
  const waiting = await db
    .selectFrom("delivery")
    .select("number")
    .where("waits_since", "is not", null)
    .where("endpoint_id", "=", endpointId)
    .where("replayed_at", "=", replayedAtMs)
    .limit(atMost - numbers.length)
    .execute()
  numbers.push(...waiting.map(({ number }) => number))
  return numbers
}
