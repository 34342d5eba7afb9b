import type { Static } from "@sinclair/typebox"
import type { ResponseFilter } from "./list-responses.ts"
import type { responseQuery } from "./record.ts"

/** The criteria of `?state=&since=&consent=&search=&progress=&assignee=`. */
export function filterFromQuery(query: Static<typeof responseQuery>): ResponseFilter {
  const { state = "received", since, consent, search = "", progress, assignee } = query
  return {
    state,
    ...(consent && { consent }),
    ...(progress && { progress }),
    ...(assignee && { assignee }),
    ...(since !== undefined && { sinceMs: since }),
    ...(search.trim() && { search: search.trim() }),
  }
}
