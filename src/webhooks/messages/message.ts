import { isoTime } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { deliveryAdder } from "./delivery.ts"

/** "The body is at most 256 KB." (specification, part 2 B1) */
export const maxMessageBytes = 262_144

/** "Event kind. Value: `form.response.created`." */
const type = "form.response.created"

export interface NewMessage {
  workspaceId: string
  projectId: string
  formId: string
  responseId: string
  /** The `data` object of the specification, part 2 B1. */
  data: object
  now: number
}

export type Enqueue = (transaction: Db, message: NewMessage) => Promise<void>

/**
 * Makes the message of a form response and its deliveries, in the transaction that stores the response. The
 * dispatcher is to be woken once that is committed. Throws Refusal `invalid_request` for a body that is too
 * large, before anything is stored.
 */
export function enqueuer(db: Db): Enqueue {
  const addMessage = messageAdder(db)
  const addDelivery = deliveryAdder(db)
  const endpointsTaking = preparedEndpointsTaking(db)

  return async (transaction, message) => {
    const messageId = await addMessage(transaction, message)
    const { rows } = await endpointsTaking(transaction, message)
    for (const { id, active } of rows) {
      const delivery = { messageId, endpointId: id, active: active === 1, now: message.now }
      await addDelivery(transaction, delivery)
    }
  }
}

/** False when the message of this `data` would be larger than a message may be. */
export function fits(data: object, nowMs: number): boolean {
  return envelope(data, nowMs).length <= maxMessageBytes
}

/** Stores the exact bytes that every attempt signs and sends; resolves to the id of the message. */
export function messageAdder(db: Db) {
  const insert = prepared<{
    id: string
    workspaceId: string
    responseId: string | null
    payload: Uint8Array
    now: number
  }>((value) =>
    db
      .insertInto("message")
      .values({
        id: value("id"),
        workspace_id: value("workspaceId"),
        response_id: value("responseId"),
        type,
        payload: value("payload"),
        created_at: value("now"),
      })
      .compile(),
  )

  return async (
    transaction: Db,
    message: Pick<NewMessage, "workspaceId" | "data" | "now"> & { responseId: string | null },
  ): Promise<string> => {
    const { workspaceId, responseId, now } = message
    const payload = envelope(message.data, now)
    if (payload.length > maxMessageBytes)
      throw new Refusal("invalid_request", detail("webhooks.messageTooLarge"), {
        reason: `the message would hold ${payload.length} bytes, more than ${maxMessageBytes}`,
      })
    const id = newId("msg", now)
    await insert(transaction, { id, workspaceId, responseId, payload, now })
    return id
  }
}

function envelope(data: object, nowMs: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ type, timestamp: isoTime(nowMs), data }))
}

/** "Every endpoint gets every form of its workspace unless limited to projects or forms." */
function preparedEndpointsTaking(db: Db) {
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
