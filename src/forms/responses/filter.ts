import type { Static } from "@sinclair/typebox"
import type { ResponseFilter } from "./list-responses.ts"
import type { responseQuery } from "./record.ts"

/** The criteria of `?state=&since=&consent=&search=`. */
export function filterOf(query: Static<typeof responseQuery>): ResponseFilter {
  const { state = "received", since, consent, search = "" } = query
  return {
    state,
    ...(consent && { consent }),
    ...(since !== undefined && { sinceMs: since }),
    ...(search.trim() && { search: search.trim() }),
  }
}
