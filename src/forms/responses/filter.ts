import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { parseTime } from "../../base/time.ts"
import type { ResponseFilter } from "./list-responses.ts"

const states = ["received", "held", "unwanted"] as const
const consents = ["pending", "confirmed", "none"] as const

/** Parses `?state=&since=&consent=&search=` of a list of responses. Throws Refusal `invalid_request`. */
export function filterOf(query: Record<string, string | undefined>): ResponseFilter {
  const problems: Record<string, Detail> = {}
  const state = states.find((choice) => choice === (query["state"] ?? "received"))
  if (!state) problems["state"] = detail("forms.oneOf", { values: states.join(", ") })
  const consent = consents.find((choice) => choice === query["consent"])
  if (query["consent"] !== undefined && !consent)
    problems["consent"] = detail("forms.oneOf", { values: consents.join(", ") })
  const sinceMs = query["since"] === undefined ? undefined : parseTime(query["since"])
  if (query["since"] !== undefined && sinceMs === undefined) problems["since"] = detail("forms.since")
  if (!state || Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", detail("forms.invalidFilter"), { fields: problems })
  return {
    state,
    ...(consent && { consent }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(query["search"]?.trim() && { search: query["search"].trim() }),
  }
}
