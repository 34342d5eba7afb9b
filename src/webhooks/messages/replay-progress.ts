import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { cancel } from "../endpoints/cancel.ts"

/**
 * The number that a replay still has to send: the deliveries that it made due and that no attempt has moved since.
 * A replay is known by its time, which stands in every delivery that it revives.
 */
export async function replayRemains(db: Db, endpointId: string, replayedAtMs: number): Promise<number> {
  return (await remaining(db, endpointId, replayedAtMs, maxCounted)).length
}

/** Beyond this count the page shows “more than 10 000”. */
export const maxCounted = 10_000
/** Transactions stay small, so that others do not wait behind a long one. */
const batchSize = 500

/** Stops a replay. What is in flight runs to its end. Resolves to the number of deliveries that are not sent. */
export async function cancelReplay(
  db: Db,
  endpointId: string,
  replayedAtMs: number,
  nowMs: number,
): Promise<number> {
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

async function remaining(
  db: Db,
  endpointId: string,
  replayedAtMs: number,
  atMost: number,
): Promise<number[]> {
  const found: number[] = []
  for (const [dueAt, isLate] of [
    ["due_at", "due_is_late"],
    ["resend_at", "resend_is_late"],
  ] as const) {
    const rows = await db
      .selectFrom("delivery")
      .select("number")
      .where(isLate, "=", 1)
      .where("endpoint_id", "=", endpointId)
      .where(dueAt, "=", replayedAtMs)
      .limit(atMost - found.length)
      .execute()
    found.push(...rows.map(({ number }) => number))
  }
  return found
}
