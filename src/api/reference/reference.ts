import { detail, required } from "../../base/errors.ts"
import { compressed, textReply } from "../../http/compress.ts"
import type { RequestContext, Route } from "../../http/routes.ts"
import type { ApiDeps } from "../kit/api-deps.ts"
import { type Documented, openApiDocument } from "../kit/openapi.ts"
import { docsHeaders, docsPage, pageNames } from "./page.tsx"
import type { ReadOwnIds } from "./shown.ts"

export interface ReferenceDeps {
  /** Every route of the service. */
  routes(): readonly Route[]
  ownIds: ReadOwnIds
}

/**
 * `GET /api/v1/openapi.json`: every route that has a description, from the routes themselves. `GET /api/v1/docs` shows
 * it as pages, one for each resource. All are made once for strangers: anybody may ask for them. A signed-in operator
 * gets pages of his own, with his ids in the examples.
 */
export function referenceHandlers({ config: { publicUrl } }: ApiDeps, { routes, ownIds }: ReferenceDeps) {
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

  return {
    json({ request }: RequestContext) {
      json ??= JSON.stringify(document())
      return textReply(request, json, {
        "access-control-allow-origin": "*",
        "content-type": "application/json",
      })
    },
    page: ({ request, params = {}, query }: RequestContext) =>
      page(request, params["page"] ?? "", query["project"]),
  }
}
