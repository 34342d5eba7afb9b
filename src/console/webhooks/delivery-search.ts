import { dayMs } from "../../base/clock.ts"
import { deliveryStates, type Outcome } from "../../db/tables/webhooks.ts"
import { eventTypes } from "../../webhooks/endpoints/event-types.ts"
import type { DeliverySearch } from "../../webhooks/messages/search-deliveries.ts"
import { words } from "./words.fr.ts"

/** Names of the filters in the address of the log, in the order of its form. */
export const filterNames = ["endpoint", "form", "type", "state", "result", "period", "q"] as const

/** Deliveries that fail, whether Guichet still tries by itself or not. */
export function failingDeliveries(endpointId: string): string {
  return `/console/webhooks/${endpointId}/deliveries?state=failing`
}

type Query = Record<string, string | undefined>

/** Ignores filters of no known value: an address may have been typed. */
export function searchIn(query: Query, nowMs: number): DeliverySearch {
  const days = Number(query["period"] ?? "")
  return {
    endpointId: query["endpoint"] || undefined,
    formId: query["form"] || undefined,
    type: eventTypes.find((type) => type === query["type"]),
    state: [...deliveryStates, "failing" as const].find((state) => state === query["state"]),
    result: resultIn(query["result"] ?? ""),
    sinceMs:
      query["period"] !== undefined && query["period"] in words.periods ? nowMs - days * dayMs : undefined,
    text: query["q"]?.trim() || undefined,
  }
}

/** `5xx`, `503` or an outcome. */
function resultIn(text: string): DeliverySearch["result"] {
  if (/^[2-5]xx$/.test(text)) {
    const from = Number(text[0]) * 100
    return { from, to: from + 99 }
  }
  if (/^[1-5]\d\d$/.test(text)) return { from: Number(text), to: Number(text) }
  return text in words.results ? { outcome: text as Outcome } : undefined
}
