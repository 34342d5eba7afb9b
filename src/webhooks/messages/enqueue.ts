import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import type { Row } from "../../db/schema.ts"
import { meetsConditions } from "../endpoints/conditions.ts"
import { eventsIn, formEvent } from "../endpoints/event-types.ts"
import { isPaced, pacedBy } from "../endpoints/pace.ts"
import { openAddDelivery } from "./delivery.ts"
import { type NewMessage, openAddMessage } from "./message.ts"

export type Enqueue = (transaction: Db, message: NewMessage) => Promise<void>

/**
 * Stores the message of a form response and its deliveries, in the transaction that stores the response. The
 * caller wakes the dispatcher once that transaction is committed. Throws Refusal `invalid_request` for a body
 * that is too large, before anything is stored.
 */
export function openEnqueue(db: Db): Enqueue {
  const addMessage = openAddMessage(db)
  const addDelivery = openAddDelivery(db)
  const matchingEndpoints = oncePerTransaction(matchingEndpointsStatement(db))

  return async (transaction, message) => {
    const messageId = await addMessage(transaction, message)
    for (const { id, active, conditions, events, ...paced } of await matchingEndpoints(
      transaction,
      message,
    )) {
      if (!eventsIn(events).includes(formEvent)) continue
      if (!meetsConditions(conditions, message.formId, message.data)) continue
      const waits = isPaced(pacedBy(paced))
      const delivery = { messageId, endpointId: id, active: active === 1, waits, now: message.now }
      await addDelivery(transaction, delivery)
    }
  }
}

type Addressee = Pick<NewMessage, "workspaceId" | "projectId" | "formId">

type MatchingEndpoint = Pick<
  Row<"endpoint">,
  "id" | "active" | "conditions" | "events" | "in_order" | "rate" | "rate_per"
>

/** Posts of one form are stored many in a transaction, and go to the same endpoints. */
function oncePerTransaction(read: ReturnType<typeof matchingEndpointsStatement>) {
  const cache = new WeakMap<Db, Map<string, MatchingEndpoint[]>>()
  return async (transaction: Db, message: Addressee): Promise<MatchingEndpoint[]> => {
    const key = [message.workspaceId, message.projectId, message.formId].join(" ")
    const cached = cache.get(transaction)?.get(key)
    if (cached) return cached
    const { rows } = await read(transaction, message)
    cache.set(transaction, (cache.get(transaction) ?? new Map()).set(key, rows))
    return rows
  }
}

/** "Every endpoint gets every form of its workspace unless limited to projects or forms." */
function matchingEndpointsStatement(db: Db) {
  return prepared<Addressee, MatchingEndpoint>((value) =>
    db
      .selectFrom("endpoint")
      .select(["id", "active", "conditions", "events", "in_order", "rate", "rate_per"])
      .where("workspace_id", "=", value("workspaceId"))
      .where((row) =>
        row.or([
          row("filtered", "=", 0),
          row.exists(
            row
              .selectFrom("endpoint_project")
              .select("project_id")
              .whereRef("endpoint_id", "=", "endpoint.id")
              .where("project_id", "=", value("projectId")),
          ),
          row.exists(
            row
              .selectFrom("endpoint_form")
              .select("form_id")
              .whereRef("endpoint_id", "=", "endpoint.id")
              .where("form_id", "=", value("formId")),
          ),
        ]),
      )
      .compile(),
  )
}
