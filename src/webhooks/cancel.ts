import type { Db } from "../db/connection.ts"
import { forgetFailures } from "./failing.ts"

/** Small transactions, so that nobody waits behind a large backlog. */
const batchSize = 500

/**
 * Ends all that is pending for an endpoint that was made inactive or deleted. An attempt in flight runs to its end and is logged. A replay can
 * send again what was cancelled. Stops when the endpoint was made active again meanwhile; what a crash leaves is cancelled once it is due.
 */
export async function cancelBacklog(db: Db, endpointId: string, nowMs: number): Promise<void> {
  for (let left = true; left; await Bun.sleep(0)) {
    left = await db.transaction().execute(async (transaction) => {
      if (await isActive(transaction, endpointId)) return false
      return (await cancelPending(transaction, endpointId, nowMs)) === batchSize
    })
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
  await transaction
    .updateTable("delivery")
    .set({ state: "cancelled", ended_at: nowMs })
    .where("id", "in", ids)
    .where("state", "=", "pending")
    .execute()
  await transaction.deleteFrom("due_attempt").where("delivery_id", "in", ids).execute()
  await forgetFailures(transaction, [endpointId])
  return ids.length
}

async function isActive(transaction: Db, endpointId: string): Promise<boolean> {
  const endpoint = await transaction
    .selectFrom("endpoint")
    .select("active")
    .where("id", "=", endpointId)
    .executeTakeFirst()
  return endpoint?.active === 1
}
