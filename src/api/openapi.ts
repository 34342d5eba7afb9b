import { Elysia } from "elysia"
import { docsReply } from "./kit/docs.tsx"
import { type Documented, openApiOf, type Route } from "./kit/openapi.ts"

/**
 * `GET /api/v1/openapi.json`: every route that has a description. The document is built once, from the routes
 * themselves. `GET /api/v1/docs` shows it as a page.
 */
export function openApiRoutes(routes: () => readonly Route[]) {
  let built: object | undefined
  const document = () => {
    built ??= openApiOf(routes())
    return built
  }
  return new Elysia({ name: "openapi", prefix: "/api/v1" })
    .get("/openapi.json", () =>
      Response.json(document(), { headers: { "access-control-allow-origin": "*" } }),
    )
    .get("/docs", () => docsReply(document() as Documented))
}
