import { isoTime } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { type EventType, formEvent } from "../endpoints/event-types.ts"

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

export function envelope(data: object, nowMs: number, type: EventType = formEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ type, timestamp: isoTime(nowMs), data }))
}

/** How lists name a message, and the text that a search looks through. Erased with the payload. */
interface MessageSummary {
  person: string | null
  searchText: string | null
}

/** In characters. The index of the log holds these texts. */
const maxPersonLength = 120
const maxSearchLength = 400

/** `data` is the object of the specification, part 2 B1. */
function summaryOf(data: object): MessageSummary {
  const { email, values } = data as { email?: unknown; values?: unknown }
  const texts = Object.values(values && typeof values === "object" ? values : {}).filter(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  )
  const person = typeof email === "string" && email ? email : texts[0]
  if (person === undefined) return { person: null, searchText: null }
  // The address first: the rest may be cut off.
  const searched = [person, ...texts.filter((text) => text !== person)]
  return {
    person: cut(person.replaceAll(/\s+/g, " ").trim(), maxPersonLength),
    searchText: cut(
      fold(
        searched
          .map((text) => text.slice(0, maxSearchLength))
          .join("\n")
          .slice(0, maxSearchLength),
      ),
      maxSearchLength,
    ),
  }
}

function cut(text: string, maxLength: number): string {
  // No half of a surrogate pair is left at the end.
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")
}
