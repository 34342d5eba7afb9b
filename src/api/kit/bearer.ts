import { Elysia } from "elysia"
import { type Action, recordAction } from "../../accounts/audit-log.ts"
import { type Area, allows, scopeFor } from "../../accounts/scope.ts"
import { findToken, recordUse, type Token } from "../../accounts/token.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { innermost } from "../../http/innermost.ts"

/**
 * Gives every route of the plugin that uses it the `token` of the request and its `workspaceId`, or answers
 * 401, or 403 when the token's scopes do not cover the area, which `openapi.json` tells of the route. A
 * scoped `derive` runs before the body is checked, so that a stranger learns nothing about what a route
 * takes.
 */
export function bearer({ db, clock }: { db: Db; clock: Clock }, area: Area) {
  async function guard({ request }: { request: Request }) {
    const token = await tokenOf(request, db)
    const scope = scopeFor(area, request.method)
    if (!allows(token.scopes, scope)) throw new Refusal("forbidden", detail("requests.forbidden", { scope }))
    // A full disk must not shut the routes that only read.
    await recordUse(db, token, clock.now()).catch(() => {})
    const { id, name, workspaceId } = token

    async function journal(action: Action, answered: Answered): Promise<void> {
      const actor = { kind: "token" as const, id, name }
      await recordAction(db, workspaceId, actor, { action, ...subjectOf(action, answered) }, clock.now())
    }
    return { token, workspaceId, journal }
  }

  return new Elysia({ name: `bearer ${area}` }).derive({ as: "scoped" }, Object.assign(guard, { area }))
}

/** Throws Refusal `unauthorized`. */
async function tokenOf(request: Request, db: Db): Promise<Token> {
  const [, text] = /^Bearer +([\w-]+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
  const token = text === undefined ? undefined : await findToken(db, text)
  if (!token) throw new Refusal("unauthorized", detail("requests.unauthorized"))
  return token
}

interface Answered {
  route: string
  params?: Record<string, string>
  response?: unknown
}

/**
 * What something was done to: the innermost thing the path names, else the thing that was made. An operator
 * has no name but the address, which of all else that has one is a visitor's and stays out.
 */
function subjectOf(action: Action, { route, params = {}, response }: Answered) {
  const made = (typeof response === "object" && response !== null ? response : {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return {
    subject: innermost(route, params) ?? text(made["id"]),
    subjectName: action.startsWith("operator.")
      ? text(made["email"])
      : (text(made["name"]) ?? text(made["url"]) ?? text(made["address"])),
  }
}
