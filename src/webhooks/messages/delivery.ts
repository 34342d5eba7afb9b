import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import type { DeliveryState } from "../../db/tables/webhooks.ts"

export interface NewDelivery {
  messageId: string
  endpointId: string
  /** For an inactive endpoint the delivery is cancelled from the start: a replay sends it later. */
  active: boolean
  /** It waits until it is its turn; else it is due at once. */
  waits: boolean
  now: number
}

/** Adds the delivery of a message to an endpoint, and resolves to its id. */
export function openAddDelivery(db: Db) {
  const insert = insertStatement(db)

  return async (transaction: Db, delivery: NewDelivery): Promise<string> => {
    const { messageId, endpointId, active, waits, now } = delivery
    const id = newId("dlv", now)
    const state = active ? "pending" : "cancelled"
    const dueAtMs = active && !waits ? now : null
    const waitsSinceMs = active && waits ? now : null
    const endedAtMs = active ? null : now
    await insert(transaction, { id, messageId, endpointId, state, now, dueAtMs, waitsSinceMs, endedAtMs })
    return id
  }
}

function insertStatement(db: Db) {
  return preparedAhead<{
    id: string
    messageId: string
    endpointId: string
    state: DeliveryState
    now: number
    dueAtMs: number | null
    waitsSinceMs: number | null
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
        due_at: value("dueAtMs"),
        due_is_late: 0,
        resend_at: null,
        resend_is_late: 0,
        waits_since: value("waitsSinceMs"),
      })
      .compile(),
  )
}
