import { newId } from "../../base/ids.ts"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { DeliveryState } from "../../db/tables/webhooks.ts"

export interface NewDelivery {
  messageId: string
  endpointId: string
  /**
   * An inactive endpoint gets a delivery that is cancelled from the start: a replay sends it once the
   * endpoint is active again.
   */
  active: boolean
  now: number
}

/** Makes deliveries, one message for one endpoint each, due at once; the function resolves to the id. */
export function deliveryAdder(db: Db) {
  const add = preparedAdd(db)

  return async (transaction: Db, delivery: NewDelivery): Promise<string> => {
    const { messageId, endpointId, active, now } = delivery
    const id = newId("dlv", now)
    const state = active ? "pending" : "cancelled"
    const [dueAtMs, endedAtMs] = active ? [now, null] : [null, now]
    await add(transaction, { id, messageId, endpointId, state, now, dueAtMs, endedAtMs })
    return id
  }
}

function preparedAdd(db: Db) {
  return prepared<{
    id: string
    messageId: string
    endpointId: string
    state: DeliveryState
    now: number
    dueAtMs: number | null
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
        due_late: 0,
        resend_at: null,
        resend_late: 0,
      })
      .compile(),
  )
}
