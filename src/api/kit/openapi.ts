import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import packageFile from "../../../package.json" with { type: "json" }
import { errorBody } from "../../http/record/schemas.ts"
import type { Description, Route } from "../../http/routes.ts"
import type { AnyOperation } from "../../operations/operation.ts"
import { scopes } from "../../operations/scope.ts"
import { exampleIdIn } from "../reference/example-values.ts"
import { exampleAnswer, exampleBody } from "../reference/examples.ts"
import { operations } from "../reference/operations.fr.ts"
import { resourceAtPath, resources } from "../reference/resources.fr.ts"
import { parameterSentence, withSentences } from "../reference/sentences.ts"
import { messageSchemas, type WebhookOperation, webhooks } from "../reference/webhooks.ts"
import { maxKeyLength } from "./idempotency.ts"

export interface Documented {
  info: { version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: WebhookOperation }>
  components: { schemas: Record<string, object> }
}

export interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  /** The scopes that a token needs, the area's first; empty for a route without a token. */
  security: { token: string[] }[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

interface Media {
  schema: object
  example?: unknown
}

/** An OpenAPI 3.1 document of the service at `publicUrl`. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  const schemas: Record<string, unknown> = { ...messageSchemas }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of inOrder(routes)) {
    if (!route.description) continue
    const template = route.path.replace(/:(\w+)/g, "{$1}")
    paths[template] ??= {}
    paths[template][route.method.toLowerCase()] = describeOperation(route, route.description, schemas)
  }
  for (const methods of Object.values(paths))
    for (const operation of Object.values(methods)) addExamples(operation as DocumentedOperation, schemas)
  return {
    openapi: "3.1.0",
    info: {
      title: "Guichet",
      version: packageFile.version,
      description:
        "Les listes vont du plus récent au plus ancien et se lisent page par page avec `cursor`. Les dates sont au format ISO 8601, en UTC dans les réponses ; celle que vous donnez sans fuseau est de celui de Guichet. Toute erreur porte une phrase en français, à afficher telle quelle ; les routes à jeton la donnent en anglais avec `Accept-Language: en`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(resources).map(([name, { title }]) => ({ name, description: title })),
    paths,
    webhooks,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "`gch_…`" } },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, withSentences(schema, name)]),
      ),
    },
  }
}

/** The sentences stand in the order in which the reference tells the operations. */
function inOrder(routes: readonly Route[]): Route[] {
  const order = Object.keys(operations)
  const placeOf = ({ method, path }: Route) => order.indexOf(operationId(method, path))
  return routes.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function describeOperation(
  { method, path, right, operation }: Route,
  description: Description,
  schemas: Record<string, unknown>,
): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    example: exampleIdIn(path.replace(/:(\w+)/g, "{$1}"), name),
  }))
  const { body, query, answers, refuses = [], isPersonal } = description
  const [, ...needs] = (operation as AnyOperation | undefined)?.needs ?? []
  const hasToken = scopes.includes(right)
  const isRepeatable = method === "POST" && operation !== undefined && hasToken && !isPersonal
  const inQuery = query && Object.entries(query.properties).map(parameter)
  const parameters = [...inPath, ...(inQuery ?? []), ...(isRepeatable ? [keyParameter] : [])].map(
    (parameter) => {
      const description = parameterSentence(parameter.name)
      return { ...parameter, ...(description !== undefined && { description }) }
    },
  )
  const id = operationId(method, path)
  const refusedStatuses = [
    ...(method !== "GET" || inQuery ? [400] : []),
    ...(hasToken ? [401, 403] : []),
    ...(inPath.length > 0 ? [404] : []),
    ...(isRepeatable ? [409, 429] : []),
    ...refuses,
    503,
  ]
  return {
    operationId: id,
    tags: [resourceAtPath(path)],
    security: hasToken ? [{ token: [right, ...needs] }] : [],
    ...(withSentences(
      withReferences(
        {
          ...(inQuery && { parameters: inQuery }),
          ...(body && { requestBody: requestBody(hasToken ? (closed(body) as TObject) : body) }),
          responses: {
            ...(isRepeatable ? repeatable(replies(answers)) : replies(answers)),
            ...refusals(refusedStatuses),
            ...(inQuery && tooLong),
          },
        },
        schemas,
      ),
      "",
    ) as object),
    summary: operations[id] ?? id,
    ...(parameters.length > 0 && { parameters }),
  }
}

function parameter([name, schema]: [string, TSchema]) {
  const { description, ...rest } = schema
  return { name, in: "query", ...(description && { description }), schema: rest }
}

/** A body is required unless all its fields are optional. */
function requestBody(schema: TObject): object {
  return { required: (schema.required ?? []).length > 0, content: json(schema) }
}

function replies(answers: Description["answers"]): object {
  const content = (answer: TSchema | string) =>
    typeof answer === "string" ? { [answer]: { schema: Type.String() } } : json(answer)
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { description: meanings[status] ?? "", ...(answer !== null && { content: content(answer) }) },
    ]),
  )
}

function json(schema: TSchema): object {
  return { "application/json": { schema } }
}

/** Documents the errors of an operation. */
function refusals(statuses: readonly number[]): Record<number, object> {
  const content = json(errorBody)
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

/** A request and the replies of success, each as the page of the reference shows it. */
function addExamples({ requestBody, responses }: DocumentedOperation, schemas: object): void {
  const of = schemas as Record<string, object>
  const body = requestBody?.content["application/json"]
  if (body) body.example = exampleBody(body.schema as Record<string, unknown>, of)
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const answer = content["application/json"]
    if (answer && status < "400") answer.example = exampleAnswer(answer.schema as Record<string, unknown>, of)
  }
}

const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  schema: { type: "string", minLength: 1, maxLength: maxKeyLength },
}

function repeatable(responses: object): object {
  const headers = {
    "Idempotent-Replayed": {
      description: "Sent when the reply is that of an earlier request",
      schema: { type: "string", enum: ["true"] },
    },
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, { ...response, headers }]),
  )
}

/** The server refuses such a request before any route. */
const tooLong = { 431: { description: "An address or headers of more than 16 KB" } }

/** `getProjectsById` */
function operationId(method: string, path: string): string {
  const words = path
    .replace("/api/v1/", "")
    .replace(/:(\w+)/g, "by-$1")
    .split(/[^A-Za-z0-9]+/)
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("")
}

/** A copy of a body's schema whose objects hold what they name and nothing else. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = copy["type"] === "object" && "properties" in copy
  return isObject ? { ...copy, additionalProperties: false } : copy
}

/** A copy that refers to named schemas by `$ref`; each of them is added once to `schemas`. */
function withReferences(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, schemas))
  if (typeof value !== "object" || value === null) return value
  const { $id, ...rest } = value as Record<string, unknown>
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, withReferences(item, schemas)]),
  )
  if (typeof $id !== "string") return copy
  schemas[$id] = copy
  return { $ref: `#/components/schemas/${$id}` }
}
