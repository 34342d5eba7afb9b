import { Refusal } from "../../base/errors.ts"
import { timeOf } from "../../base/time.ts"
import { sentences } from "../sentences.ts"
import type { ResponseFilter } from "./form-response.ts"

const states = ["received", "held", "unwanted"] as const
const consents = ["pending", "confirmed", "none"] as const

/** `?state=&since=&consent=&search=` of a list of responses. Throws Refusal `invalid_request`. */
export function filterOf(query: Record<string, string | undefined>): ResponseFilter {
  const problems: Record<string, string> = {}
  const state = states.find((choice) => choice === (query["state"] ?? "received"))
  if (!state) problems["state"] = sentences.oneOf(states.join(", "))
  const consent = consents.find((choice) => choice === query["consent"])
  if (query["consent"] !== undefined && !consent) problems["consent"] = sentences.oneOf(consents.join(", "))
  const sinceMs = query["since"] === undefined ? undefined : timeOf(query["since"])
  if (query["since"] !== undefined && sinceMs === undefined) problems["since"] = sentences.since
  if (!state || Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", sentences.invalidFilter, { fields: problems })
  return {
    state,
    ...(consent && { consent }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(query["search"]?.trim() && { search: query["search"].trim() }),
  }
}
