import { Elysia } from "elysia"
import { detail, required } from "../base/errors.ts"
import { compressed, textReply } from "../http/compress.ts"
import { type Documented, openApiDocument, type Route } from "./kit/openapi.ts"
import { docsHeaders, docsPage, pageNames } from "./reference/page.tsx"
import type { ReadOwnIds } from "./reference/shown.ts"

interface ReferenceDeps {
  publicUrl: string
  ownIds: ReadOwnIds
}

/**
 * `GET /api/v1/openapi.json`: every route that has a description, from the routes themselves. `GET /api/v1/docs` shows
 * it as pages, one for each resource. All are made once for strangers: anybody may ask for them. A signed-in operator
 * gets pages of his own, with his ids in the examples.
 */
export function openApiRoutes(routes: () => readonly Route[], { publicUrl, ownIds }: ReferenceDeps) {
  let made: Documented | undefined
  let json: string | undefined
  const pages = new Map<string, string>()
  function document(): Documented {
    made ??= openApiDocument(routes(), publicUrl) as Documented
    return made
  }

  async function page(request: Request, name: string, wanted: string | undefined): Promise<Response> {
    required(
      pageNames.find((each) => each === name),
      detail("requests.notFound"),
    )
    const own = await ownIds(request, wanted)
    if (own) {
      const html = docsPage(document(), name, { publicUrl, own })
      return compressed(request, new Response(html, { headers: docsHeaders }))
    }
    const shared = pages.get(name) ?? docsPage(document(), name, { publicUrl })
    pages.set(name, shared)
    return textReply(request, shared, docsHeaders)
  }

  return new Elysia({ name: "openapi", prefix: "/api/v1" })
    .get("/openapi.json", ({ request }) => {
      json ??= JSON.stringify(document())
      return textReply(request, json, {
        "access-control-allow-origin": "*",
        "content-type": "application/json",
      })
    })
    .get("/docs", ({ request, query }) => page(request, "", query["project"]))
    .get("/docs/:page", ({ request, params, query }) => page(request, params.page, query["project"]))
}
