import type { Db } from "../db/connection.ts"
import { newId } from "../ids.ts"

export interface NewDelivery {
  messageId: string
  endpointId: string
  /** An inactive endpoint gets a delivery that is cancelled from the start: a replay sends it once the endpoint is active again. */
  active: boolean
  now: number
}

/** One message for one endpoint, due at once. */
export async function addDelivery(transaction: Db, delivery: NewDelivery): Promise<string> {
  const { messageId, endpointId, active, now } = delivery
  const id = newId("dlv", now)
  await transaction
    .insertInto("delivery")
    .values({
      id,
      message_id: messageId,
      endpoint_id: endpointId,
      state: active ? "pending" : "cancelled",
      attempts_made: 0,
      created_at: now,
      ended_at: active ? null : now,
    })
    .execute()
  if (active) {
    await transaction
      .insertInto("due_attempt")
      .values({
        delivery_id: id,
        kind: "automatic",
        endpoint_id: endpointId,
        late: 0,
        due_at: now,
        attempt_id: null,
      })
      .execute()
  }
  return id
}
