import Ajv2020, { type AnySchema, type ValidateFunction } from "ajv/dist/2020"
import addFormats from "ajv-formats"

/** One operation of openapi.json. */
export interface Described {
  method: string
  /** `/api/v1/projects/{id}` */
  path: string
  /** The scope that a token needs; undefined: it is called by pages, without one. */
  scope: string | undefined
  body: { properties: Record<string, object>; required?: string[] } | undefined
  answers: Record<string, { content?: Record<string, Media> }>
  /** Of its body, as the document writes it. */
  media: Media | undefined
}

interface Media {
  schema: AnySchema & { $ref?: string }
  example?: unknown
}

interface Document {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, Media> } } }>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, AnySchema> }
}

interface Operation {
  security: { token: string[] }[]
  requestBody?: { content: Record<string, Media> }
  responses: Described["answers"]
}

export function operationsOf(document: Document): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      scope: security[0]?.token[0],
      body: resolved(document, requestBody?.content["application/json"]?.schema) as Described["body"],
      answers: responses,
      media: requestBody?.content["application/json"],
    })),
  )
}

/**
 * What is wrong with an answer, held against the document: fields that it does not tell of are wrong, too.
 */
export function answerChecker(document: Document) {
  const faultsOf = valueChecker(document)

  return (operation: Described, status: number, mediaType: string | null, body: unknown): string[] => {
    const answer = operation.answers[status]
    if (!answer) return [`status ${status} is not documented`]
    if (!answer.content) return body === "" ? [] : ["a body where none is documented"]
    const [documented, content] = Object.entries(answer.content)[0] ?? []
    if (!mediaType?.startsWith(documented as string)) return [`${mediaType} is not ${documented}`]
    if (documented !== "application/json") return []
    return faultsOf(content?.schema as AnySchema, body)
  }
}

/** What is wrong with the body of a message, held against what the document tells of its kind. */
export function messageChecker(document: Document) {
  const faultsOf = valueChecker(document)

  return (body: { type: string }): string[] => {
    const content = document.webhooks[body.type]?.post.requestBody.content["application/json"]
    return content ? faultsOf(content.schema, body) : [`${body.type} is not documented`]
  }
}

/** The same for a value and its schema. */
export function valueChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  const components = closed(document.components)
  const validators = new Map<AnySchema, ValidateFunction>()

  return (schema: AnySchema, value: unknown): string[] => {
    const validate = validators.get(schema) ?? ajv.compile({ ...(closed(schema) as object), components })
    validators.set(schema, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }
}

function resolved(document: Document, schema: { $ref?: string } | undefined): unknown {
  return schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) as string] : schema
}

/** A copy whose objects may hold what they tell of and nothing else. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = copy["type"] === "object" && "properties" in copy
  return isObject ? { additionalProperties: false, ...copy } : copy
}
