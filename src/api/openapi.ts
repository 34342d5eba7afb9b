import { Elysia } from "elysia"
import { type Documented, openApiOf, type Route } from "./kit/openapi.ts"
import { docsReply } from "./reference/page.tsx"

/**
 * `GET /api/v1/openapi.json`: every route that has a description. The document is built once, from the routes
 * themselves. `GET /api/v1/docs` shows it as a page.
 */
export function openApiRoutes(routes: () => readonly Route[], { publicUrl }: { publicUrl: string }) {
  let built: object | undefined
  const document = () => {
    built ??= openApiOf(routes())
    return built
  }
  return new Elysia({ name: "openapi", prefix: "/api/v1" })
    .get("/openapi.json", () =>
      Response.json(document(), { headers: { "access-control-allow-origin": "*" } }),
    )
    .get("/docs", () => docsReply(document() as Documented, publicUrl))
}
