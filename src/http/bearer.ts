import { Elysia } from "elysia"
import type { Clock } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { findToken, recordUse, type Token } from "../workspaces/token.ts"
import { sentences } from "./sentences.ts"

/**
 * Gives every route of the plugin that uses it the `token` of the request and its `workspaceId`, or answers 401.
 * A scoped `derive` runs before the body is checked, so that a stranger learns nothing about what a route takes.
 */
export function bearer({ db, clock }: { db: Db; clock: Clock }) {
  return new Elysia({ name: "bearer" }).derive({ as: "scoped" }, async ({ request }) => {
    const token = await tokenOf(request, db)
    // A full disk must not shut the routes that only read.
    await recordUse(db, token, clock.now()).catch(() => {})
    return { token, workspaceId: token.workspaceId }
  })
}

/** Throws Refusal `unauthorized`. The one place where a token's scopes are to be held against the route it asks for. */
async function tokenOf(request: Request, db: Db): Promise<Token> {
  const [, text] = /^Bearer +([\w-]+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
  const token = text === undefined ? undefined : await findToken(db, text)
  if (!token) throw new Refusal("unauthorized", sentences.unauthorized)
  return token
}
