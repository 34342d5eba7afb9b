import type { Db } from "../db/connection.ts"
import { forgetFailures } from "./failing.ts"

/**
 * Ends what is pending for an endpoint that was made inactive or deleted: nothing more is sent to it. An attempt in flight
 * runs to its end and is logged. A replay can send again what was cancelled. The caller has seen to it that the endpoint is the workspace's.
 */
export async function cancelPending(transaction: Db, endpointId: string, nowMs: number): Promise<void> {
  const due = transaction
    .selectFrom("due_attempt")
    .select("delivery_id")
    .where("endpoint_id", "=", endpointId)
  await transaction
    .updateTable("delivery")
    .set({ state: "cancelled", ended_at: nowMs })
    .where("id", "in", due.where("late", "in", [0, 1]))
    .where("state", "=", "pending")
    .execute()
  await transaction
    .deleteFrom("due_attempt")
    .where("late", "in", [0, 1])
    .where("endpoint_id", "=", endpointId)
    .execute()
  await forgetFailures(transaction, [endpointId])
}
