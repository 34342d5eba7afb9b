import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { listTokens, requireToken, type Token } from "../accounts/token.ts"
import { addToken, changeToken, removeToken, type TokenDeps } from "../accounts/tokens/operations.ts"
import { madeToken, tokenRecord } from "../accounts/tokens/record.ts"
import { isoTime } from "../base/clock.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"

/** `/api/v1/tokens`: the tokens of the token's workspace. The text of a token is shown once, on creation. */
export function tokenRoutes(deps: TokenDeps) {
  const { db } = deps
  const { bearer, operation, performs } = area(deps, "workspace")

  return new Elysia({ name: "tokens", prefix: "/api/v1/tokens" })
    .use(bearer)
    .get(
      "",
      ({ query, workspaceId }) => listPage(query, (part) => listTokens(db, workspaceId, part), toJson),
      operation({ query: pageQuery, answers: { 200: listOf(tokenRecord) } }),
    )
    .post(
      "",
      ...performs(addToken, {
        status: 201,
        schema: madeToken,
        json: ({ token, text }) => ({ ...toJson(token), token: text }),
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireToken(db, params.id, workspaceId)),
      operation({ answers: { 200: tokenRecord } }),
    )
    .patch("/:id", ...performs(changeToken, { status: 200, schema: tokenRecord, json: toJson }))
    .delete("/:id", ...performs(removeToken))
}

function toJson({ id, name, scopes, createdAt, lastUsedAt }: Token): Static<typeof tokenRecord> {
  return {
    id,
    name,
    scopes,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
