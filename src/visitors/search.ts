import { maxSearchBytes, openVisitorSearch, parseSearchRequest } from "../answering/search/visitor-search.ts"
import { clientReader } from "../http/client.ts"
import { described, type RequestContext } from "../http/routes.ts"
import { jsonBody } from "./ask.ts"
import type { AskDeps } from "./ask-record.ts"
import { foundPages, searchRequest } from "./schemas.ts"

/** The route that pages call while a visitor types a search. Logs nothing of it. */
export function searchHandler({ assistant, config }: Pick<AskDeps, "assistant" | "config">) {
  const search = openVisitorSearch(assistant)
  const clientAddress = clientReader(config.trustedProxies)
  return described(
    {
      body: searchRequest,
      answers: { 200: foundPages },
      refuses: [403, 404, 409, 429],
    },
    async ({ request }: RequestContext) => {
      const wanted = parseSearchRequest(await jsonBody(request, maxSearchBytes))
      const caller = { origin: request.headers.get("origin"), address: clientAddress(request) }
      const items = await search(wanted, caller)
      return Response.json({ items }, { headers: { "cache-control": "no-store" } })
    },
  )
}
