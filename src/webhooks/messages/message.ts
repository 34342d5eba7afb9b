import { isoTime } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { type EventType, formEvent } from "../endpoints/event-types.ts"
import { summaryOf } from "./message-summary.ts"

/** "The body is at most 256 KB." (specification, part 2 B1) */
export const maxMessageBytes = 262_144

export interface NewMessage {
  workspaceId: string
  projectId: string
  formId: string
  responseId: string
  /** The `data` object of the specification, part 2 B1. */
  data: object
  now: number
}

/** False when the body around this `data` would exceed `maxMessageBytes`. */
export function fits(data: object, nowMs: number): boolean {
  return envelope(data, nowMs).length <= maxMessageBytes
}

/** Adds a message: stores the exact bytes that every attempt signs and sends, and resolves to its id. */
export function openAddMessage(db: Db) {
  const insert = preparedAhead<{
    id: string
    workspaceId: string
    responseId: string | null
    payload: Uint8Array
    now: number
    formId: string | null
    person: string | null
    searchText: string | null
    type: string
    projectId: string | null
  }>((value) =>
    db
      .insertInto("message")
      .values({
        id: value("id"),
        workspace_id: value("workspaceId"),
        response_id: value("responseId"),
        type: value("type"),
        payload: value("payload"),
        created_at: value("now"),
        form_id: value("formId"),
        person: value("person"),
        search_text: value("searchText"),
        project_id: value("projectId"),
      })
      .compile(),
  )

  return async (transaction: Db, message: AnyMessage): Promise<string> => {
    const { workspaceId, responseId, formId, type = formEvent, about = null, now } = message
    const payload = envelope(message.data, now, type)
    if (payload.length > maxMessageBytes)
      throw new Refusal("invalid_request", detail("webhooks.messageTooLarge"), {})
    const id = newId("msg", now)
    await insert(transaction, {
      id,
      workspaceId,
      responseId,
      formId,
      payload,
      now,
      type,
      projectId: about,
      ...summaryOf(message.data),
    })
    return id
  }
}

type AnyMessage = Pick<NewMessage, "workspaceId" | "data" | "now"> &
  Nullable<"responseId" | "formId"> & {
    /** `form.response.created` unless said otherwise. */
    type?: EventType
    /** The project that another event is about. */
    about?: string | null
  }

/** Null for a test message and other events, which announce no form response. */
type Nullable<Name extends keyof NewMessage> = { [Each in Name]: NewMessage[Each] | null }

function envelope(data: object, nowMs: number, type: EventType = formEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ type, timestamp: isoTime(nowMs), data }))
}
