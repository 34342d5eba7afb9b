import { Elysia } from "elysia"
import { maxSearchBytes, openVisitorSearch, parseSearchRequest } from "../answering/search/visitor-search.ts"
import { clientReader } from "../http/client.ts"
import { operation } from "../http/operation.ts"
import { jsonBody } from "./ask.ts"
import type { AskDeps } from "./ask-record.ts"
import { foundPages, searchRequest } from "./schemas.ts"

/** The route that pages call while a visitor types a search. Logs nothing of it. */
export function searchRoutes({ assistant, config }: Pick<AskDeps, "assistant" | "config">) {
  const search = openVisitorSearch(assistant)
  const clientAddress = clientReader(config.trustedProxies)
  return new Elysia({ name: "search" }).post(
    "/api/v1/search",
    async ({ request }) => {
      const wanted = parseSearchRequest(await jsonBody(request, maxSearchBytes))
      const caller = { origin: request.headers.get("origin"), address: clientAddress(request) }
      const items = await search(wanted, caller)
      return Response.json({ items }, { headers: { "cache-control": "no-store" } })
    },
    operation({
      body: searchRequest,
      answers: { 200: foundPages },
      refuses: [403, 404, 409, 429],
    }),
  )
}
