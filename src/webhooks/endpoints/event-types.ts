import { Type } from "@sinclair/typebox"
import { told } from "../../http/record/rule.ts"
import { oneOf } from "../../http/record/schemas.ts"

/** "Event kind. Value: `form.response.created`." (specification, part 2 B1) */
export const formEvent = "form.response.created"

/** Events that an endpoint gets only if its owner asks for them. */
export const askedEvents = ["endpoint.failing", "project.index_failed", "questions.unanswered"] as const

export const eventTypes = [formEvent, ...askedEvents] as const
export type EventType = (typeof eventTypes)[number]

export const events = told(
  Type.Array(oneOf(eventTypes), { minItems: 1, maxItems: eventTypes.length }),
  "webhooks.events",
)

/** The `events` column; null: messages of forms alone. */
export function storedEvents(wanted: readonly EventType[]): string | null {
  const all = eventTypes.filter((type) => wanted.includes(type))
  return all.length === 1 && all[0] === formEvent ? null : JSON.stringify(all)
}

export function eventsIn(stored: string | null): EventType[] {
  return stored === null ? [formEvent] : JSON.parse(stored)
}
