import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox"
import type { Token } from "../../accounts/token.ts"
import type { PageRequest } from "../../db/search.ts"
import { readObject } from "../../http/body.ts"
import { isMultipart, readSentFiles } from "../../http/files/sent-files.ts"
import { listPage, type PageRead, pageQuery } from "../../http/list.ts"
import { queryOf } from "../../http/record/fields.ts"
import { shown } from "../../http/record/json.ts"
import { listOf } from "../../http/record/schemas.ts"
import { withoutShown } from "../../http/record/unknown.ts"
import { type ReplyLanguage, replyLanguage } from "../../http/reply-language.ts"
import type { Description, RequestContext } from "../../http/routes.ts"
import type { Call, Caller, Operation } from "../../operations/operation.ts"
import { perform } from "../../operations/perform.ts"
import type { ApiDeps } from "./api-deps.ts"
import { once, replayHeader } from "./idempotency.ts"

interface Reply<Result> extends Pick<Description, "refuses"> {
  /** By default 204: there is nothing to say. */
  status?: 200 | 201 | 202
  schema?: TObject
  /** By default, as the schema shows it. */
  json?: (result: Result) => unknown
  /** The record as it is, for a change that holds members which a reply shows and none can set. */
  present?: (call: Named) => Promise<Result>
  maxBodyBytes?: number
  /** Takes `multipart/form-data` as well, the files of which are handed over as `files`. */
  takesFiles?: true
  /** It holds what visitors wrote, which is kept nowhere else: it is not given again for an `Idempotency-Key`. */
  isPersonal?: true
  /** As `isPersonal`, of what is not to be done twice: a repeat is told that it was done. */
  isReplyPersonal?: true
}

/** The part of a call that names a thing, as domains look it up. */
export type Named = Pick<Call, "workspaceId" | "ids">

/** A request for what is there, its query read by its schema. */
interface Reading<Query> extends Named {
  query: Query
}

interface Listing<Row, Query extends TObject> {
  query?: Query
  /** The key that the rows are sorted by, newest first: their id unless said otherwise. */
  keyOf?: (row: Row) => string
}

const noQuery = Type.Object({})

/** More than the longest of most bodies, and little enough to be parsed at once. */
const usualBodyBytes = 64 * 1024

/** The kinds of handlers of the API's table, each with its description for `openapi.json`. */
export function handlers(deps: ApiDeps) {
  const { timezone } = deps.config

  /** A route that performs an operation. `POST`s and other changes are rows of this kind. */
  function performs<Schema extends TObject | undefined, Result>(
    operation: Operation<ApiDeps, Schema, Result>,
    reply: Reply<Result> = {},
  ) {
    const { status = 204, schema, present, refuses, maxBodyBytes = usualBodyBytes, isPersonal } = reply
    const keepsReply = !reply.isReplyPersonal
    const json = reply.json ?? (schema && (shown(schema).json as (result: Result) => unknown))
    async function handle({ request, route, params = {}, token, set }: TokenContext): Promise<unknown> {
      const ids = idsIn(route, params)
      const { input } = operation
      const hasFiles = reply.takesFiles && isMultipart(request)
      using sent = hasFiles ? await readSentFiles(request, token.workspaceId) : undefined
      let given = sent ? { files: sent.files } : input && (await readObject(request, maxBodyBytes))
      if (given && input && schema && request.method !== "POST") {
        const now = await present?.({ workspaceId: token.workspaceId, ids })
        given = withoutShown(given, input, schema, now && ((await json?.(now)) as object))
      }
      const work = async () => {
        const result = await perform(operation, deps, tokenCaller(token, request), ids, given)
        return { status, body: await json?.(result) }
      }
      const isRepeatable = request.method === "POST" && !isPersonal
      const keyed = { request, tokenId: token.id, given, keepsReply }
      const outcome = isRepeatable ? await once(deps, keyed, work) : await work()
      set.status = outcome.status
      if ("isReplay" in outcome) set.headers[replayHeader] = "true"
      return outcome.body
    }
    const description: Description = {
      ...(operation.input && { body: operation.input }),
      answers: { [status]: schema ?? null },
      ...(refuses && { refuses }),
      ...(isPersonal && { isPersonal }),
    }
    return { handle, description, operation }
  }

  function shows<Record, Query extends TObject = TObject>(
    record: { schema: TSchema; json(record: Record, language: ReplyLanguage): unknown },
    find: (reading: Reading<Static<Query>>) => Promise<Record>,
    query?: Query,
  ) {
    const handle = async (context: TokenContext) =>
      record.json(await find(toReading(context, query, timezone)), replyLanguage(context.request))
    const description: Description = { ...(query && { query }), answers: { 200: record.schema } }
    return { handle, description }
  }

  /** A route that lists records, page by page. `read` refuses by the project, the form … that the address names. */
  function lists<Row, Query extends TObject = TObject>(
    record: { schema: TSchema; json(row: Row): unknown },
    read: (reading: Reading<Static<Query>>, part: PageRequest) => Promise<readonly Row[] | PageRead<Row>>,
    { query, keyOf }: Listing<Row, Query> = {},
  ) {
    async function handle(context: TokenContext) {
      const reading = toReading(context, query, timezone)
      const { items, ...rest } = await listPage(context.query, (part) => read(reading, part), keyOf)
      const bodies: unknown[] = []
      for (const row of items) bodies.push(await record.json(row))
      return { items: bodies, ...rest }
    }
    const description: Description = {
      query: query ? Type.Composite([query, pageQuery]) : pageQuery,
      answers: { 200: listOf(record.schema) },
    }
    return { handle, description }
  }

  /** The same for a table that is downloaded. A HEAD request exports nothing, so it is not recorded. */
  function downloads<Query extends TObject, Result>(
    operation: Operation<ApiDeps, undefined, Result>,
    { type, query, file }: Download<Query, Result>,
  ) {
    async function handle(context: TokenContext): Promise<Response> {
      const { request, route, params = {}, token } = context
      const effective = request.method === "HEAD" ? { ...operation, audit: null } : operation
      const ids = idsIn(route, params)
      const wanted = { ...context, query: queryOf(context.query, query, timezone) }
      return perform(effective, deps, tokenCaller(token, request), ids, {}, (result) => file(result, wanted))
    }
    const description: Description = { query, answers: { 200: type }, refuses: [429] }
    return { handle, description, operation }
  }

  return { performs, shows, lists, downloads }
}

function toReading<Query extends TObject>(
  context: TokenContext,
  schema: Query | undefined,
  timezone: string,
): Reading<Static<Query>> {
  const { route, params = {}, query, token } = context
  return {
    workspaceId: token.workspaceId,
    ids: idsIn(route, params),
    query: queryOf(query, schema ?? (noQuery as Query), timezone),
  }
}

interface Download<Query extends TObject, Result> {
  type: string
  query: Query
  file(result: Result, context: FileContext<Static<Query>>): Response
}

/** The part of a route's context that a download is written from. */
export interface FileContext<Query> extends Omit<TokenContext, "query"> {
  query: Query
}

/** Of a request whose token may do what it asks for. */
export interface TokenContext extends RequestContext {
  token: Token
}

function tokenCaller({ id, name, workspaceId, scopes: held }: Token, request: Request): Caller {
  return { kind: "token", id, name, workspaceId, held, request, signal: request.signal }
}

/** By noun, as the path names them: `/forms/:id/responses/:responseId` has a form and a response. */
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
