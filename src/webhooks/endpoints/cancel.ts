import { sql } from "kysely"
import type { Db } from "../../db/sqlite/connection.ts"
import { forgetFailures } from "./failing.ts"
import { isTaken } from "./taken.ts"

/** Small transactions, so that nobody waits behind a large backlog. */
const batchSize = 500

interface Parts {
  db: Db
  /** Tells the dispatcher, which may have claimed ahead what is cancelled. */
  messages: { reconsider(): void }
}

/**
 * Ends all that is pending for an endpoint that was made inactive or deleted. An attempt in flight runs to
 * its end and is logged. A replay can send again what was cancelled. Stops when the endpoint was made active
 * again meanwhile; what a crash leaves is cancelled once it is due.
 */
export async function cancelBacklog(
  { db, messages }: Parts,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  for (let left = true; left; await Bun.sleep(0)) {
    left = await db.transaction().execute(async (transaction) => {
      if (await isActive(transaction, endpointId)) return false
      return (await cancelPending(transaction, endpointId, nowMs)) > 0
    })
    messages.reconsider()
  }
}

/** Ends a batch of what is pending for an endpoint, and resolves to how much that was. */
export async function cancelPending(transaction: Db, endpointId: string, nowMs: number): Promise<number> {
  const numbers = await dueFor(transaction, endpointId)
  await cancel(transaction, numbers, nowMs)
  await forgetFailures(transaction, [endpointId])
  return numbers.length
}

/**
 * Ends what is pending for an endpoint of forms that it does not get any more. An attempt in flight runs to
 * its end and is logged; what a crash leaves is cancelled once it is due.
 */
export async function cancelUntaken(
  { db, messages }: Parts,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  const due = await dueFor(db, endpointId, Number.MAX_SAFE_INTEGER)
  for (let start = 0; start < due.length; start += batchSize) {
    const numbers = due.slice(start, start + batchSize)
    await db.transaction().execute((transaction) => cancelUntakenOf(transaction, numbers, nowMs))
    messages.reconsider()
    await Bun.sleep(0)
  }
}

/** The same for those due longest, which is what the dispatcher may have claimed. */
export async function cancelFirstUntaken(transaction: Db, endpointId: string, nowMs: number): Promise<void> {
  await cancelUntakenOf(transaction, await dueFor(transaction, endpointId), nowMs)
}

/**
 * The numbers of deliveries for an endpoint of which an attempt is due, now or later; of each kind so many,
 * those due longest.
 */
async function dueFor(db: Db, endpointId: string, atMost = batchSize): Promise<number[]> {
  const found: { number: number }[][] = []
  for (const [dueAt, isLate] of [
    ["due_at", "due_late"],
    ["resend_at", "resend_late"],
  ] as const) {
    for (const late of [0, 1] as const) {
      const due = db
        .selectFrom("delivery")
        .select("number")
        .where(isLate, "=", late)
        .where("endpoint_id", "=", endpointId)
        .where(dueAt, "is not", null)
        .orderBy(dueAt)
        .limit(atMost)
      found.push(await due.execute())
    }
  }
  return found.flat().map(({ number }) => number)
}

/**
 * Of these deliveries, ends those of forms that their endpoint does not get any more, and resolves to their
 * numbers.
 */
export async function cancelUntakenOf(
  transaction: Db,
  deliveryNumbers: readonly number[],
  nowMs: number,
): Promise<number[]> {
  if (deliveryNumbers.length === 0) return []
  const untaken = await transaction
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("delivery.number")
    .where("delivery.number", "in", deliveryNumbers)
    .where(sql<boolean>`NOT ${isTaken}`)
    .execute()
  const numbers = untaken.map(({ number }) => number)
  await cancel(transaction, numbers, nowMs)
  return numbers
}

/** Nothing is due any more of these deliveries; those that were pending are cancelled. */
export async function cancel(
  transaction: Db,
  deliveryNumbers: readonly number[],
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable("delivery")
    .set({ state: "cancelled", ended_at: nowMs })
    .where("number", "in", deliveryNumbers)
    .where("state", "=", "pending")
    .execute()
  await transaction
    .updateTable("delivery")
    .set({ due_at: null, resend_at: null })
    .where("number", "in", deliveryNumbers)
    .execute()
}

async function isActive(transaction: Db, endpointId: string): Promise<boolean> {
  const endpoint = await transaction
    .selectFrom("endpoint")
    .select("active")
    .where("id", "=", endpointId)
    .executeTakeFirst()
  return endpoint?.active === 1
}
