import { findToken, isExpired, isRevoked, recordUse, type Token } from "../../accounts/token.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { extendForLists } from "../../http/extend-timeout.ts"
import { allows, type Scope } from "../../operations/scope.ts"

/**
 * The check of a route that needs `right`: it gives the request its `token`. Replies 401 without a valid one, 403 when
 * its scopes do not cover the right. It runs before the body is read, so that a caller without a token learns nothing
 * about the body that a route takes.
 */
export function bearer({ db, clock }: { db: Db; clock: Clock }, right: Scope) {
  return async (context: { request: Request }): Promise<void> => {
    const { request } = context
    const token = await readToken(request, db, clock.now())
    if (!allows(token.scopes, right))
      throw new Refusal("forbidden", detail("requests.forbidden", { scope: right }))
    if (request.method === "GET") extendForLists(request)
    // A full disk must not close the routes that only read.
    await recordUse(db, token, clock.now()).catch(() => {})
    Object.assign(context, { token })
  }
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
