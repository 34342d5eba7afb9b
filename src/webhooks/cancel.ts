import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { forgetFailures } from "./failing.ts"
import { isTaken } from "./taken.ts"

/** Small transactions, so that nobody waits behind a large backlog. */
const batchSize = 500

interface Parts {
  db: Db
  /** Tells the dispatcher, which may have claimed ahead what is cancelled. */
  messages: { wake(): void }
}

/**
 * Ends all that is pending for an endpoint that was made inactive or deleted. An attempt in flight runs to its end and is logged. A replay can
 * send again what was cancelled. Stops when the endpoint was made active again meanwhile; what a crash leaves is cancelled once it is due.
 */
export async function cancelBacklog(
  { db, messages }: Parts,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  for (let left = true; left; await Bun.sleep(0)) {
    left = await db.transaction().execute(async (transaction) => {
      if (await isActive(transaction, endpointId)) return false
      return (await cancelPending(transaction, endpointId, nowMs)) === batchSize
    })
    messages.wake()
  }
}

/** Ends a batch of what is pending for an endpoint, and resolves to how much that was. */
export async function cancelPending(transaction: Db, endpointId: string, nowMs: number): Promise<number> {
  const due = await transaction
    .selectFrom("due_attempt")
    .select("delivery_id")
    .where("late", "in", [0, 1])
    .where("endpoint_id", "=", endpointId)
    .limit(batchSize)
    .execute()
  const ids = due.map(({ delivery_id }) => delivery_id)
  await cancel(transaction, ids, nowMs)
  await forgetFailures(transaction, [endpointId])
  return ids.length
}

/**
 * Ends what is pending for an endpoint of forms that it does not get any more. An attempt in flight runs to its end and is logged; what a
 * crash leaves is cancelled once it is due.
 */
export async function cancelUntaken(
  { db, messages }: Parts,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  const due = await db
    .selectFrom("due_attempt")
    .select("delivery_id")
    .where("late", "in", [0, 1])
    .where("endpoint_id", "=", endpointId)
    .execute()
  for (let start = 0; start < due.length; start += batchSize) {
    const ids = due.slice(start, start + batchSize).map(({ delivery_id }) => delivery_id)
    await db.transaction().execute((transaction) => cancelUntakenOf(transaction, ids, nowMs))
    messages.wake()
    await Bun.sleep(0)
  }
}

/** Of these deliveries, ends those of forms that their endpoint does not get any more, and resolves to their ids. */
export async function cancelUntakenOf(
  transaction: Db,
  deliveryIds: readonly string[],
  nowMs: number,
): Promise<string[]> {
  if (deliveryIds.length === 0) return []
  const untaken = await transaction
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("delivery.id")
    .where("delivery.id", "in", deliveryIds)
    .where(sql<boolean>`NOT ${isTaken}`)
    .execute()
  const ids = untaken.map(({ id }) => id)
  await cancel(transaction, ids, nowMs)
  return ids
}

async function cancel(transaction: Db, deliveryIds: readonly string[], nowMs: number): Promise<void> {
  await transaction
    .updateTable("delivery")
    .set({ state: "cancelled", ended_at: nowMs })
    .where("id", "in", deliveryIds)
    .where("state", "=", "pending")
    .execute()
  await transaction.deleteFrom("due_attempt").where("delivery_id", "in", deliveryIds).execute()
}

async function isActive(transaction: Db, endpointId: string): Promise<boolean> {
  const endpoint = await transaction
    .selectFrom("endpoint")
    .select("active")
    .where("id", "=", endpointId)
    .executeTakeFirst()
  return endpoint?.active === 1
}
