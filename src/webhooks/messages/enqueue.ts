import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
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
  const matchingEndpoints = matchingEndpointsStatement(db)

  return async (transaction, message) => {
    const messageId = await addMessage(transaction, message)
    const { rows } = await matchingEndpoints(transaction, message)
    for (const { id, active } of rows) {
      const delivery = { messageId, endpointId: id, active: active === 1, now: message.now }
      await addDelivery(transaction, delivery)
    }
  }
}

/** "Every endpoint gets every form of its workspace unless limited to projects or forms." */
function matchingEndpointsStatement(db: Db) {
  return prepared<Pick<NewMessage, "workspaceId" | "projectId" | "formId">, { id: string; active: 0 | 1 }>(
    (value) =>
      db
        .selectFrom("endpoint")
        .select(["id", "active"])
        .where("workspace_id", "=", value("workspaceId"))
        .where((row) =>
          row.or([
            row("limited", "=", 0),
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
