import type { Static, TObject, TSchema } from "@sinclair/typebox"
import { requireRights } from "../../accounts/rights.ts"
import type { Token } from "../../accounts/token.ts"
import type { Clock } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { readObject } from "../../http/body.ts"
import { withoutShown } from "../../http/members/unknown.ts"
import { operation as documented, type Operation as Route } from "../../http/operation.ts"
import type { AnyOperation, Caller, Operation } from "../../operations/operation.ts"
import { perform, requireScopes } from "../../operations/perform.ts"
import type { Area } from "../../operations/scope.ts"
import { bearer } from "./bearer.ts"

interface Reply<Result> extends Pick<Route, "refuses"> {
  /** By default 204: there is nothing to say. */
  status?: 200 | 201 | 202
  schema?: TSchema
  json?: (result: Result) => unknown
  /** The record as it is, for a change that holds members which a reply shows and none can set. */
  present?: (workspaceId: string, ids: Record<string, string>) => Promise<object>
  /** Largest body of a request. */
  maxBodyBytes?: number
}

/** More than the longest of most bodies, and little enough to be parsed at once. */
const usualBodyBytes = 64 * 1024

/**
 * The guard of the routes of one area, and the description of each of them, which names the area for
 * `openapi.json`.
 */
export function area<Deps extends { db: Db; clock: Clock }>(deps: Deps, name: Area) {
  /**
   * The last arguments of a route that performs an operation: its handler and its description. `POST`s and other
   * changes are rows of this kind.
   */
  function performs<Schema extends TObject | undefined, Result>(
    operation: Operation<Deps, Schema, Result>,
    reply: Reply<Result> = {},
  ) {
    const { status = 204, schema = null, json, present, refuses, maxBodyBytes = usualBodyBytes } = reply
    async function handle({ request, route, params = {}, token, set }: PerformContext): Promise<unknown> {
      const ids = idsIn(route, params)
      const { input } = operation
      let given = input && (await readObject(request, maxBodyBytes))
      if (given && input && schema && request.method !== "POST")
        given = withoutShown(given, input, schema, await present?.(token.workspaceId, ids))
      const result = await perform(operation, deps, callerOf(token, request), ids, given)
      set.status = status
      return json?.(result)
    }
    const hook = performing(operation, {
      ...(operation.input && { body: operation.input }),
      answers: { [status]: schema },
      ...(refuses && { refuses }),
    })
    return [handle, hook] as const
  }

  /** The same for a table that is downloaded. A HEAD request exports nothing, so it is not recorded. */
  function downloads<Query extends TObject, Result>(
    operation: Operation<Deps, undefined, Result>,
    { type, query, file }: Download<Query, Result>,
  ) {
    function handle(context: FileContext<Static<Query>>): Promise<Response> {
      const { request, route, params = {}, token } = context
      const asked = request.method === "HEAD" ? { ...operation, audit: null } : operation
      const ids = idsIn(route, params)
      return perform(asked, deps, callerOf(token, request), ids, {}, (result) => file(result, context))
    }
    return [handle, performing(operation, { query, answers: { 200: type }, refuses: [429] })] as const
  }

  function performing(operation: AnyOperation, described: Route) {
    const [, ...needs] = operation.needs
    const { beforeHandle, detail, parse } = documented({ ...described, needs })
    return {
      parse,
      detail: { ...detail, area: name, operation } as object,
      beforeHandle: [
        // Before the body is read: who may not do it learns nothing of what it takes.
        ({ token }: PerformContext) => requireScopes(operation.needs, token.scopes),
        ...beforeHandle,
      ],
    }
  }

  return {
    bearer: bearer(deps, name),
    operation: (described: Route) => describedRoute(name, described),
    performs,
    downloads,
  }
}

interface Download<Query extends TObject, Result> {
  /** Media type of the file. */
  type: string
  query: Query
  file(result: Result, context: FileContext<Static<Query>>): Response
}

/** The part of a route's context that a download is written from. */
export interface FileContext<Query> extends PerformContext {
  query: Query
}

interface PerformContext {
  request: Request
  route: string
  params?: Record<string, string>
  token: Token
  set: { status?: number | string }
}

function callerOf({ id, name, workspaceId, scopes: held }: Token, request: Request): Caller {
  return { kind: "token", id, name, workspaceId, held, request, signal: request.signal }
}

/**
 * By noun, as the path of the route names them: `/forms/:id/responses/:responseId` has a form and a response,
 * `/evaluation-runs/:runId` a run.
 */
export function idsIn(route: string, params: Record<string, string>): Record<string, string> {
  const parts = route.split("/")
  const named = parts.flatMap((part, place) =>
    part.startsWith(":") ? [[singular(parts[place - 1] ?? ""), params[part.slice(1)] ?? ""]] : [],
  )
  return Object.fromEntries(named)
}

function singular(collection: string): string {
  const [noun = ""] = collection.split("-").slice(-1)
  return noun.replace(/ies$/, "y").replace(/s$/, "")
}

/** The last argument of a route that reads: its request and replies, and the scopes that it needs beyond its area. */
function describedRoute(area: Area, described: Route) {
  const { needs = [] } = described
  const { beforeHandle, detail, ...route } = documented(described)
  return {
    ...route,
    detail: { ...detail, area } as object,
    beforeHandle: [
      ...(needs.length > 0 ? [(context: unknown) => requireNeeds(context as Guarded, needs)] : []),
      ...beforeHandle,
    ],
  }
}

/** The part of the context that `bearer` adds to a route. */
interface Guarded {
  token: { scopes: readonly string[] }
}

function requireNeeds({ token }: Guarded, needs: readonly string[]): void {
  requireRights({ granted: token.scopes, needed: needs })
}
