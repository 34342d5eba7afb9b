import { Elysia } from "elysia"
import { textReply } from "../http/compress.ts"
import { type Documented, openApiOf, type Route } from "./kit/openapi.ts"
import { docsHeaders, docsPage } from "./reference/page.tsx"

/**
 * `GET /api/v1/openapi.json`: every route that has a description, from the routes themselves. `GET /api/v1/docs` shows
 * it as a page. Both are made once: anybody may ask for them, and the page takes 40 ms of the thread that answers all.
 */
export function openApiRoutes(routes: () => readonly Route[], { publicUrl }: { publicUrl: string }) {
  let json: string | undefined
  let page: string | undefined
  const document = () => openApiOf(routes(), publicUrl)
  return new Elysia({ name: "openapi", prefix: "/api/v1" })
    .get("/openapi.json", ({ request }) => {
      json ??= JSON.stringify(document())
      return textReply(request, json, {
        "access-control-allow-origin": "*",
        "content-type": "application/json",
      })
    })
    .get("/docs", ({ request }) => {
      page ??= docsPage(document() as Documented, publicUrl)
      return textReply(request, page, docsHeaders)
    })
}
