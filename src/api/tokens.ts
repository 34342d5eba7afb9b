import { Elysia } from "elysia"
import { requireRights } from "../accounts/rights.ts"
import { issueToken, listTokens, renameToken, revokeToken, type Token, tokenOfId } from "../accounts/token.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { everyScope } from "../operations/scope.ts"
import { area } from "./kit/area.ts"
import { madeToken, newToken, type TokenAnswer, tokenAnswer, tokenChange } from "./schemas/accounts.ts"

const maxBodyBytes = 4 * 1024

/** `/api/v1/tokens`: the tokens of the token's workspace. The text of a token is shown once, on creation. */
export function tokenRoutes({ db, clock }: { db: Db; clock: Clock }) {
  async function requireToken(id: string, workspaceId: string): Promise<Token> {
    const token = await tokenOfId(db, workspaceId, id)
    if (!token) throw new Refusal("not_found", detail("accounts.unknownToken"))
    return token
  }

  /** A token may not change one that has more rights than itself. Throws Refusal `forbidden`. */
  async function requireChangeable(id: string, by: Token): Promise<Token> {
    const token = await requireToken(id, by.workspaceId)
    requireRights({ held: by.scopes, taken: token.scopes })
    return token
  }

  const { bearer, operation } = area({ db, clock }, "workspace")

  return new Elysia({ name: "tokens", prefix: "/api/v1/tokens" })
    .use(bearer)
    .get(
      "",
      ({ query, workspaceId }) => listPage(query, (part) => listTokens(db, workspaceId, part), toJson),
      operation({ query: pageQuery, answers: { 200: listOf(tokenAnswer) } }),
    )
    .post(
      "",
      async ({ request, workspaceId, token, set }) => {
        const { name = "", scopes = [everyScope] } = await bodyOf(request, maxBodyBytes, newToken)
        const wanted = { workspaceId, name, scopes, heldScopes: token.scopes }
        const { id, text } = await issueToken(db, wanted, clock.now())
        set.status = 201
        return { ...toJson(await requireToken(id, workspaceId)), token: text }
      },
      operation({
        body: newToken,
        answers: { 201: madeToken },
        audit: "token.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireToken(params.id, workspaceId)),
      operation({ answers: { 200: tokenAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId, token }) => {
        const { name } = await bodyOf(request, maxBodyBytes, tokenChange)
        const { id } = await requireChangeable(params.id, token)
        if (name !== undefined) await renameToken(db, id, name)
        return toJson(await requireToken(id, workspaceId))
      },
      operation({
        body: tokenChange,
        answers: { 200: tokenAnswer },
        audit: "token.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ params, workspaceId, token, set }) => {
        const { id } = await requireChangeable(params.id, token)
        await revokeToken(db, id, workspaceId)
        set.status = 204
      },
      operation({ answers: { 204: null }, audit: "token.removed" }),
    )
}

function toJson({ id, name, scopes, createdAt, lastUsedAt }: Token): TokenAnswer {
  return {
    id,
    name,
    scopes,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
