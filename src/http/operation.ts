import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import { detail, Refusal } from "../base/errors.ts"
import { readBody } from "./body.ts"
import { errorBody } from "./record/schemas.ts"

/** `openapi.json` is made of these descriptions and of the sentences of api/reference. */
export interface Operation {
  body?: TObject
  /** A list route also takes `limit` and `cursor`. */
  query?: TObject
  /** By status: schema of a JSON body, media type of another body, or null for no body. */
  answers: Record<number, TSchema | string | null>
  /** Statuses of its errors, beyond the ones every route has. */
  refuses?: readonly RefusingStatus[]
  /** Further scopes that a token needs, for example because the operation removes what they protect. */
  needs?: readonly string[]
  /** Its reply is not given again for an `Idempotency-Key`. */
  isPersonal?: true
}

type RefusingStatus = 403 | 404 | 409 | 429

/** Last argument of a route. Elysia parses no body: the routes read bodies themselves, within a bound. */
export function operation(described: Operation) {
  return {
    parse: "none" as const,
    detail: documentation(described) as object,
    beforeHandle: described.body ? [] : [refuseLargeBody],
  }
}

/** A route without a body ignores a small one, and refuses a large one as a mistake. */
async function refuseLargeBody({ request }: { request: Request }): Promise<void> {
  if (request.body && !(await readBody(request, maxUnreadBytes)))
    throw new Refusal("invalid_request", detail("requests.invalidRequest"))
}

const maxUnreadBytes = 4 * 1024

function documentation({ body, query, answers, needs = [], refuses = [], isPersonal }: Operation) {
  const json = (schema: TSchema) => ({ "application/json": { schema } })
  const content = (answer: TSchema | string) =>
    typeof answer === "string" ? { [answer]: { schema: Type.String() } } : json(answer)
  return {
    ...(needs.length > 0 && { needs }),
    refuses,
    ...(isPersonal && { isPersonal }),
    ...(query && { parameters: Object.entries(query.properties).map(parameter) }),
    ...(body && { requestBody: { required: isRequired(body), content: json(body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          { description: meanings[status] ?? "", ...(answer !== null && { content: content(answer) }) },
        ]),
      ),
    },
  }
}

export function refusals(statuses: readonly number[]): Record<number, object> {
  const content = { "application/json": { schema: errorBody } }
  const distinct = [...new Set(statuses)].sort((one, other) => one - other)
  return Object.fromEntries(distinct.map((status) => [status, { description: meanings[status], content }]))
}

const meanings: Record<string, string> = {
  400: "A field outside its rule, or an unreadable or too large body",
  401: "No valid token",
  403: "Not allowed",
  404: "There is none, or it is another workspace’s",
  409: "Not as things stand",
  429: "Too many; `Retry-After` says when to try again",
  503: "Not at the moment; try again",
  200: "Done",
  201: "Made",
  202: "Taken, to be done at once",
  204: "Done; nothing to say",
}

function parameter([name, schema]: [string, TSchema]) {
  const { description, ...rest } = schema
  return { name, in: "query", ...(description && { description }), schema: rest }
}

/** A body is required unless all its fields are optional. */
function isRequired({ required = [] }: TObject): boolean {
  return required.length > 0
}
