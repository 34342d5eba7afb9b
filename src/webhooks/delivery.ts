import type { Db } from "../db/connection.ts"
import { prepared } from "../db/prepared.ts"
import type { DeliveryState } from "../db/tables/webhooks.ts"
import { newId } from "../ids.ts"

export interface NewDelivery {
  messageId: string
  endpointId: string
  /** An inactive endpoint gets a delivery that is cancelled from the start: a replay sends it once the endpoint is active again. */
  active: boolean
  now: number
}

/** Makes deliveries, one message for one endpoint each, due at once; the function resolves to the id. */
export function deliveryAdder(db: Db) {
  const queries = addQueries(db)

  return async (transaction: Db, delivery: NewDelivery): Promise<string> => {
    const { messageId, endpointId, active, now } = delivery
    const id = newId("dlv", now)
    const state = active ? "pending" : "cancelled"
    await queries.delivery(transaction, {
      id,
      messageId,
      endpointId,
      state,
      now,
      endedAtMs: active ? null : now,
    })
    if (active) await queries.dueAttempt(transaction, { id, messageId, endpointId, now })
    return id
  }
}

function addQueries(db: Db) {
  return {
    delivery: prepared<{
      id: string
      messageId: string
      endpointId: string
      state: DeliveryState
      now: number
      endedAtMs: number | null
    }>((value) =>
      db
        .insertInto("delivery")
        .values({
          id: value("id"),
          message_id: value("messageId"),
          endpoint_id: value("endpointId"),
          state: value("state"),
          attempts_made: 0,
          created_at: value("now"),
          ended_at: value("endedAtMs"),
        })
        .compile(),
    ),
    dueAttempt: prepared<{ id: string; messageId: string; endpointId: string; now: number }>((value) =>
      db
        .insertInto("due_attempt")
        .values({
          delivery_id: value("id"),
          kind: "automatic",
          endpoint_id: value("endpointId"),
          late: 0,
          due_at: value("now"),
          message_id: value("messageId"),
          attempt_id: null,
          leased_until: null,
        })
        .compile(),
    ),
  }
}
