import { Elysia } from "elysia"
import { docsReply } from "./kit/docs.tsx"
import { type Documented, openApiOf, type Route } from "./kit/openapi.ts"

/**
 * `GET /api/v1/openapi.json`: every route that says what it is, made once from what the routes say of
 * themselves; and as a page.
 */
export function openApiRoutes(routes: () => readonly Route[]) {
  let made: object | undefined
  const document = () => {
    made ??= openApiOf(routes())
    return made
  }
  return new Elysia({ name: "openapi", prefix: "/api/v1" })
    .get("/openapi.json", () =>
      Response.json(document(), { headers: { "access-control-allow-origin": "*" } }),
    )
    .get("/docs", () => docsReply(document() as Documented))
}
