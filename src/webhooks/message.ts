import { isoTime } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { newId } from "../ids.ts"
import { addDelivery } from "./delivery.ts"
import { sentences } from "./sentences.ts"

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

/**
 * Makes the message of a form response and its deliveries, in the transaction that stores the response. The dispatcher
 * is to be woken once that is committed. Throws Refusal `invalid_request` for a body that is too large, before anything is stored.
 */
export async function enqueue(transaction: Db, message: NewMessage): Promise<void> {
  const { workspaceId, responseId, now } = message
  const messageId = await addMessage(transaction, { workspaceId, responseId, data: message.data, now })
  for (const endpoint of await endpointsTaking(transaction, message)) {
    await addDelivery(transaction, { messageId, endpointId: endpoint.id, active: endpoint.active === 1, now })
  }
}

/** Stores the exact bytes that every attempt signs and sends. */
export async function addMessage(
  transaction: Db,
  message: { workspaceId: string; responseId: string | null; data: object; now: number },
): Promise<string> {
  const payload = payloadOf(message.data, message.now)
  const id = newId("msg", message.now)
  await transaction
    .insertInto("message")
    .values({
      id,
      workspace_id: message.workspaceId,
      response_id: message.responseId,
      type,
      payload,
      created_at: message.now,
    })
    .execute()
  return id
}

/** False when the message of this `data` would be larger than a message may be. */
export function fits(data: object, nowMs: number): boolean {
  return envelope(data, nowMs).length <= maxMessageBytes
}

function payloadOf(data: object, nowMs: number): Uint8Array {
  const payload = envelope(data, nowMs)
  if (payload.length > maxMessageBytes)
    throw new Refusal("invalid_request", sentences.messageTooLarge, {
      reason: `the message would hold ${payload.length} bytes, more than ${maxMessageBytes}`,
    })
  return payload
}

function envelope(data: object, nowMs: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ type, timestamp: isoTime(nowMs), data }))
}

/** "Every endpoint gets every form of its workspace unless limited to projects or forms." */
function endpointsTaking(transaction: Db, { workspaceId, projectId, formId }: NewMessage) {
  return transaction
    .selectFrom("endpoint")
    .select(["id", "active"])
    .where("workspace_id", "=", workspaceId)
    .where((row) =>
      row.or([
        row("limited", "=", 0),
        row.exists(
          row
            .selectFrom("endpoint_project")
            .select("project_id")
            .whereRef("endpoint_id", "=", "endpoint.id")
            .where("project_id", "=", projectId),
        ),
        row.exists(
          row
            .selectFrom("endpoint_form")
            .select("form_id")
            .whereRef("endpoint_id", "=", "endpoint.id")
            .where("form_id", "=", formId),
        ),
      ]),
    )
    .execute()
}
