import type { TObject, TSchema } from "@sinclair/typebox"
import type { AnyElysia } from "elysia"
import { detail, Refusal } from "../base/errors.ts"
import { readBody } from "./body.ts"

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
/** `GET /api/v1/projects/:id` */
export type Address = `${Method} /${string}`

/** A route of the service. Each is a line of the table of its face (`routes.ts` there), and stands nowhere else. */
export interface Route extends Handler {
  method: Method
  path: string
  /** Who may use it, in the words of its face: a scope of a token, a role of an operator … */
  right: string
  /** Each may throw a Refusal; they run in this order, before `handle`. */
  before: Check[]
}

/** The rest of a route: what a face's table names beside its address and its right. */
export interface Handler {
  handle: (context: never) => unknown
  /** As `openapi.json` has it. */
  description?: Description
  /** The operation that it performs. */
  operation?: object
}

export type Check = (context: never) => Promise<void> | void

/** The part of the router's context that most handlers read. Replies that are no `Response` are sent as JSON. */
export interface RequestContext<Parameters extends string = string> {
  request: Request
  /** The path with its parameters: `/api/v1/projects/:id` */
  route: string
  params: Record<Parameters, string>
  query: Record<string, string | undefined>
  set: { status?: number | string; headers: Record<string, string | number> }
}

/** The names of the parameters of an address. */
export type ParametersIn<Text extends string> = Text extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<`/${Rest}`>
  : Text extends `${string}/:${infer Name}`
    ? Name
    : never

/**
 * Describes a route of the API. `openapi.json` is generated from these descriptions and from the sentences of
 * api/reference.
 */
export interface Description {
  /** The schema by which the route reads its body. */
  body?: TObject
  /** A list route also takes `limit` and `cursor`. */
  query?: TObject
  /** By status: schema of a JSON body, media type of another body, or null for no body. */
  answers: Record<number, TSchema | string | null>
  /** Statuses of its errors, beyond the ones every route has. */
  refuses?: readonly RefusingStatus[]
  /** Its reply is not given again for an `Idempotency-Key`. */
  isPersonal?: true
}

type RefusingStatus = 403 | 404 | 409 | 429

/** A handler of a route of the API. */
export function described<Context>(description: Description, handle: (context: Context) => unknown) {
  return { handle, description }
}

/** One line of a face's table, as a route. */
export function routeAt(
  address: string,
  right: string,
  served: Handler | Handler["handle"],
  before: Check[] = [],
): Route {
  const [method, path] = address.split(" ") as [Method, string]
  const handler = typeof served === "function" ? { handle: served } : served
  const { description } = handler
  const last = description && !description.body ? [refuseLargeBody] : []
  return { method, path, right, before: [...before, ...last], ...handler }
}

/** The lines of a table whose handlers read nothing but the request. The compiler checks their parameters. */
export function openRoutes<Addresses extends Address>(
  table: {
    [Each in Addresses]: readonly [string, Serves<RequestContext<ParametersIn<Each>>>]
  },
): Route[] {
  const lines = Object.entries(table) as [string, readonly [string, Serves<never>]][]
  return lines.map(([address, [right, served]]) => routeAt(address, right, served))
}

type Serves<Context> = ((context: Context) => unknown) | (Handler & { handle: (context: Context) => unknown })

/** The router parses no body: the routes read bodies themselves, within a bound. */
export function mount(router: AnyElysia, routes: readonly Route[]): void {
  for (const { method, path, before, handle } of routes)
    router.route(method, path, handle as never, { parse: "none", beforeHandle: before as never[] })
}

/** A route without a body ignores a small one, and refuses a large one as a mistake. */
async function refuseLargeBody({ request }: { request: Request }): Promise<void> {
  if (request.body && !(await readBody(request, maxUnreadBytes)))
    throw new Refusal("invalid_request", detail("requests.invalidRequest"))
}

const maxUnreadBytes = 4 * 1024
