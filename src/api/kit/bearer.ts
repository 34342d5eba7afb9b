import { Elysia } from "elysia"
import { findToken, isExpired, isRevoked, recordUse, type Token } from "../../accounts/token.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { extendForLists } from "../../http/extend-timeout.ts"
import { type Area, allows, scopeFor } from "../../operations/scope.ts"

/**
 * Gives the routes of the plugin that uses it the `token` of the request and its `workspaceId`. Replies 401
 * without a valid token, 403 when the token's scopes do not cover `area`. A scoped `derive` runs before the body
 * is checked, so that a caller without a token learns nothing about the body that a route takes.
 */
export function bearer({ db, clock }: { db: Db; clock: Clock }, area: Area) {
  async function guard({ request }: { request: Request }) {
    const token = await readToken(request, db, clock.now())
    const scope = scopeFor(area, request.method)
    if (!allows(token.scopes, scope)) throw new Refusal("forbidden", detail("requests.forbidden", { scope }))
    if (request.method === "GET") extendForLists(request)
    // A full disk must not close the routes that only read.
    await recordUse(db, token, clock.now()).catch(() => {})
    return { token, workspaceId: token.workspaceId }
  }

  return new Elysia({ name: `bearer ${area}` }).derive({ as: "scoped" }, guard)
}

/** Throws Refusal `unauthorized`, which says whether a token is missing, unknown, revoked or expired. */
async function readToken(request: Request, db: Db, nowMs: number): Promise<Token> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
  if (text === undefined) throw new Refusal("unauthorized", detail("requests.tokenMissing"))
  const token = await findToken(db, text)
  if (token && isExpired(token, nowMs)) throw new Refusal("unauthorized", detail("requests.tokenExpired"))
  if (token) return token
  if (await isRevoked(db, text)) throw new Refusal("unauthorized", detail("requests.tokenRevoked"))
  throw new Refusal("unauthorized", detail("requests.tokenUnknown"))
}
