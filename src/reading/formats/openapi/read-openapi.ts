import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut, LeftOutPart, PartReason } from "../document.ts"
import { withinParserLimits } from "../markdown/parser-limits.ts"
import { htmlItems, type Place, toDocument } from "../structured.ts"
import {
  type ApiReading,
  asList,
  asRecord,
  asText,
  type FieldLimits,
  type Given,
  maxTextCharacters,
  parsed,
  type Resolve,
  resolver,
} from "./given.ts"
import { type Labels, labelsFor } from "./labels.ts"
import { type SchemaField, schemaFields } from "./schema-fields.ts"
import { listExamples, schemaNotes, unwrapped } from "./schema-notes.ts"

/** Limits of one document, and of one operation, server list or body in it; `losses` for each reason. */
const most = {
  operations: 2000,
  characters: 3_000_000,
  replies: 50,
  servers: 20,
  schemes: 50,
  examples: 5,
  exampleCharacters: 5000,
  losses: 60,
}
/** Fields that are told of one body. Of a large interface they are fewer, before whole operations are left. */
const shares: FieldLimits[] = [
  { fields: 200, depth: 5 },
  { fields: 60, depth: 3 },
  { fields: 20, depth: 2 },
  { fields: 10, depth: 1 },
]
const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

/** `name`: its path among the `files` that it may refer to. */
export interface ApiFiles {
  name?: string | undefined
  files?: Readonly<Record<string, string>> | undefined
}

/**
 * Reads the description of an interface (OpenAPI 3.0 and 3.1, Swagger 2; JSON or YAML): a section for each operation,
 * whose anchor points to it in the document (RFC 6901).
 */
export function readOpenApi(
  text: string,
  place: Place,
  { name = "openapi", files = {} }: ApiFiles = {},
): Document | LeftOut {
  const document = parsed(text)
  if (!document || !(asText(document["openapi"]) || String(document["swagger"] ?? "").startsWith("2")))
    return { leftOut: "unreadable", detail: detail("reading.otherData") }
  const lost: Partial<Record<PartReason, Map<string, LeftOutPart>>> = {}
  const leave = (reason: PartReason, text: string) => {
    const part = { reason, text: text.slice(0, 300).toWellFormed() }
    lost[reason] ??= new Map()
    if (lost[reason].size < most.losses) lost[reason].set(part.text, part)
  }
  const labels = labelsFor(text)
  const resolve = resolver({ document, name, files }, (reference) => leave("reference", reference))
  const reading: ApiReading = { resolve, labels, leave, fieldLimits: shares[0] as FieldLimits }
  const info = asRecord(document["info"]) ?? {}
  const parts = [
    `<h1>${Bun.escapeHTML(asText(info["title"]) || "API")}</h1>`,
    prose(info["summary"], leave),
    prose(info["description"], leave),
    contactHtml(info, labels),
    serversHtml(document, reading),
    securityHtml(document, reading),
    ...tagsHtml(document, leave),
  ]
  const { operations, rest } = operationParts(document, reading)
  const items = htmlItems([...parts, ...operations].join("\n"), place)
  if ("leftOut" in items) return items
  const read = toDocument(items, place, { title: undefined, format: "openapi" })
  const leftOut = [rest ?? [], ...Object.values(lost).map((each) => [...each.values()])].flat()
  if ("leftOut" in read || leftOut.length === 0) return read
  return { ...read, html: { leftOut, doubtful: [], otherTitle: null } }
}

/** The operations, with as many fields as let all of them in; `rest`: those that no such number lets in. */
function operationParts(document: Given, reading: ApiReading): { operations: string[]; rest?: LeftOutPart } {
  const all: Operation[] = []
  for (const operation of listOperations(document, reading.resolve))
    if (all.push(operation) > most.operations) break
  const wanted = all.slice(0, most.operations)
  let operations: string[] = []
  for (const fieldLimits of shares) {
    let characters = 0
    operations = []
    for (const operation of wanted) {
      if (characters > most.characters) break
      const html = operationHtml(operation, { ...reading, fieldLimits })
      characters += html.length
      operations.push(html)
    }
    if (operations.length === wanted.length) break
  }
  const rest = all.slice(operations.length)
  if (rest.length === 0) return { operations }
  return {
    operations,
    rest: {
      reason: "limit",
      text: callOf(rest[0] as Operation)
        .slice(0, 300)
        .toWellFormed(),
    },
  }
}

interface Operation {
  method: string
  path: string
  pointer: string
  given: Given
  /** Parameters of its path item, which all operations of the path have. */
  shared: unknown[]
}

function* listOperations(document: Given, resolve: Resolve): Generator<Operation> {
  for (const key of ["paths", "webhooks"])
    for (const [path, value] of Object.entries(asRecord(document[key]) ?? {}))
      yield* operationsAt(path, value, `/${key}`, resolve)
}

function* operationsAt(path: string, value: unknown, above: string, resolve: Resolve): Generator<Operation> {
  const item = resolve(value) ?? {}
  for (const method of methods) {
    const given = asRecord(item[method])
    if (!given) continue
    const pointer = `${above}/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`
    yield { method, path, pointer, given, shared: asList(item["parameters"]) }
    // Calls of the service to its caller's server stand behind those of the caller.
    if (above.includes("/callbacks/")) continue
    for (const [name, callback] of Object.entries(asRecord(given["callbacks"]) ?? {}))
      for (const [address, item] of Object.entries(resolve(callback) ?? {}))
        yield* operationsAt(address, item, `${pointer}/callbacks/${name}`, resolve)
  }
}

function callOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

function operationHtml(operation: Operation, reading: ApiReading): string {
  const { pointer, given, shared } = operation
  const { resolve, labels, leave } = reading
  const call = callOf(operation)
  const summary = asText(given["summary"])
  const parameters = [...shared, ...asList(given["parameters"])].flatMap((each): Given[] => {
    const parameter = resolve(each)
    return parameter ? [parameter] : []
  })
  const body = parameters.find((each) => each["in"] === "body")
  const content: Given = resolve(given["requestBody"]) ?? body ?? {}
  const { types, schema, example } = mediaOf(content)
  const label = labels.body(types.length === 1 && types[0]?.includes("json") ? "" : types.join(", "))
  return [
    `<h2 id="${Bun.escapeHTML(pointer)}">${Bun.escapeHTML(summary ? `${summary} (${call})` : call)}</h2>`,
    given["deprecated"] === true ? `<p>${labels.deprecated}</p>` : "",
    prose(given["description"], leave),
    needsHtml(given["security"], labels),
    listed(
      labels.parameters,
      parameters.filter((each) => each !== body).map((each) => parameterField(each, reading)),
    ),
    prose(content["description"], leave),
    listed(label, schemaFields(schema, reading)),
    examplesHtml(example, reading),
    repliesHtml(given, reading),
  ].join("\n")
}

/** A parameter or a header. In Swagger 2, and beside a schema, it says itself what a schema may say. */
function parameterField(given: Given, reading: ApiReading, name = asText(given["name"])): SchemaField {
  const { resolve, labels } = reading
  const { example, examples, deprecated } = given
  const own = { ...(example !== undefined && { example }), ...(examples !== undefined && { examples }) }
  const schema = {
    ...unwrapped(resolve(given["schema"] ?? mediaOf(given).schema) ?? given, resolve),
    ...own,
    ...(deprecated === true && { deprecated }),
  }
  const [type = "", ...notes] = schemaNotes(schema, reading)
  const required = given["required"] === true ? labels.required : ""
  return {
    name,
    notes: [asText(given["in"]), type, required, ...notes].filter(Boolean),
    description: asText(given["description"]),
  }
}

/** The media types of a body or reply, with the schema and the examples of JSON's, else of the first. */
function mediaOf(given: Given): { types: string[]; schema: unknown; example: Given } {
  const content = asRecord(given["content"]) ?? {}
  const types = Object.keys(content)
  const media = asRecord(content[types.find((each) => each.includes("json")) ?? types[0] ?? ""]) ?? {}
  const schema = given["schema"] ?? media["schema"]
  const example = ["example", "examples"].some((name) => media[name] !== undefined) ? media : asRecord(schema)
  // Swagger 2 names the media type of each example.
  const [replyExample] = given["schema"] === undefined ? [] : Object.values(asRecord(given["examples"]) ?? {})
  return { types, schema, example: replyExample === undefined ? (example ?? {}) : { example: replyExample } }
}

function examplesHtml(media: Given, { resolve, labels, leave }: ApiReading): string {
  const examples = listExamples(resolve(media) ?? {}, resolve)
  for (const { name } of examples.slice(most.examples)) leave("limit", labels.example(name))
  return examples
    .slice(0, most.examples)
    .map(({ name, example }) => {
      const whole = typeof example === "string" ? example : (JSON.stringify(example, null, 1) ?? "")
      if (whole.length > most.exampleCharacters) leave("limit", labels.example(name))
      const text = whole.slice(0, most.exampleCharacters)
      return `<p>${Bun.escapeHTML(labels.example(name))}</p><pre><code>${Bun.escapeHTML(text)}</code></pre>`
    })
    .join("\n")
}

function repliesHtml(given: Given, reading: ApiReading): string {
  const { resolve, labels, leave } = reading
  const replies = Object.entries(asRecord(given["responses"]) ?? {})
  for (const [status] of replies.slice(most.replies)) leave("limit", `${labels.replies} ${status}`)
  const lines = replies.slice(0, most.replies).map(([status, value]) => {
    const reply = resolve(value) ?? {}
    const { schema, example } = mediaOf(reply)
    const headers = Object.entries(asRecord(reply["headers"]) ?? {}).map(([name, header]) =>
      parameterField({ ...resolve(header), in: labels.header }, reading, name),
    )
    const description = inline(asText(reply["description"]))
    const fields = items([...headers, ...schemaFields(schema, reading)])
    const examples = examplesHtml(example, reading)
    return `<li>${Bun.escapeHTML(status)}${description && ` : ${description}`}${fields}${examples}</li>`
  })
  return lines.length === 0 ? "" : `<p>${labels.replies}</p><ul>${lines.join("")}</ul>`
}

function listed(label: string, fields: SchemaField[]): string {
  return fields.length === 0 ? "" : `<p>${Bun.escapeHTML(label)}</p>${items(fields)}`
}

function items(fields: SchemaField[]): string {
  if (fields.length === 0) return ""
  const lines = fields.map(({ name, notes, description }) => {
    const words = inline(description)
    const noted = notes.length === 0 ? "" : ` (${Bun.escapeHTML(notes.join(", "))})`
    return `<li><code>${Bun.escapeHTML(name)}</code>${noted}${words && ` : ${words}`}</li>`
  })
  return `<ul>${lines.join("")}</ul>`
}

function contactHtml(info: Given, { contact: label }: Labels): string {
  const contact = asRecord(info["contact"]) ?? {}
  const words = ["name", "email", "url"].map((name) => asText(contact[name])).filter(Boolean)
  return words.length === 0 ? "" : `<p>${label} ${Bun.escapeHTML(words.join(", "))}</p>`
}

/** Each server with the values that its address has a place for. */
function serversHtml(document: Given, reading: ApiReading): string {
  const { labels, leave } = reading
  const host = asText(document["host"])
  const own: Given[] = host ? [{ url: `https://${host}${asText(document["basePath"])}` }] : []
  const servers = [...asList(document["servers"]).map((server): Given => asRecord(server) ?? {}), ...own]
  for (const server of servers.slice(most.servers)) leave("limit", asText(server["url"]))
  const lines = servers.slice(0, most.servers).map((server) => {
    const description = asText(server["description"])
    const fields = Object.entries(asRecord(server["variables"]) ?? {}).map(([name, variable]) =>
      parameterField(asRecord(variable) ?? {}, reading, name),
    )
    const words = `${asText(server["url"])}${description && ` (${description})`}`
    return { words: Bun.escapeHTML(words), fields: items(fields) }
  })
  if (lines.length === 0) return ""
  return `<p>${labels.address} ${lines.map(({ words }) => words).join(", ")}</p>${lines.map(({ fields }) => fields).join("")}`
}

function securityHtml(document: Given, reading: ApiReading): string {
  const { resolve, labels, leave } = reading
  const schemes = Object.entries(
    asRecord(asRecord(document["components"])?.["securitySchemes"] ?? document["securityDefinitions"]) ?? {},
  )
  for (const [name] of schemes.slice(most.schemes)) leave("limit", name)
  const lines = schemes.slice(0, most.schemes).map(([name, value]) => {
    const given = resolve(value) ?? {}
    const how = ["type", "scheme", "in", "name", "openIdConnectUrl"].map((key) => asText(given[key]))
    const flows = Object.entries(asRecord(given["flows"]) ?? { "": given })
    const ways = flows.map(([flow, value]) => flowHtml(flow, asRecord(value) ?? {})).join("")
    const words = `${name} (${how.filter(Boolean).join(", ")})`
    return `<li>${Bun.escapeHTML(words)} ${inline(asText(given["description"]))}${ways}</li>`
  })
  const needs = needsHtml(document["security"], labels)
  if (lines.length === 0) return needs
  return `<h2>${labels.security}</h2>${needs}<ul>${lines.join("")}</ul>`
}

/** One way to a token, and what the token may be asked for. */
function flowHtml(flow: string, given: Given): string {
  const urls = ["authorizationUrl", "tokenUrl", "refreshUrl"]
    .map((name) => asText(given[name]))
    .filter(Boolean)
  const scopes = Object.entries(asRecord(given["scopes"]) ?? {}).map(([name, words]) => ({
    name,
    notes: [],
    description: asText(words),
  }))
  if (urls.length + scopes.length === 0) return ""
  return `<p>${Bun.escapeHTML([asText(given["flow"]) || flow, ...urls].filter(Boolean).join(", "))}</p>${items(scopes)}`
}

/** The ways to prove who asks, of which one is enough; each may ask for several proofs and for scopes. */
function needsHtml(security: unknown, { needs, noSecurity, or }: Labels): string {
  if (!Array.isArray(security)) return ""
  const ways = security.map((way) =>
    Object.entries(asRecord(way) ?? {})
      .map(([name, scopes]) => {
        const words = asList(scopes).map(asText).filter(Boolean).join(", ")
        return `${name}${words && ` (${words})`}`
      })
      .join(" + "),
  )
  const words = ways.map((way) => way || noSecurity).join(` ${or} `) || noSecurity
  return `<p>${needs} ${Bun.escapeHTML(words)}</p>`
}

function tagsHtml(document: Given, leave: ApiReading["leave"]): string[] {
  return asList(document["tags"]).flatMap((value) => {
    const { name, description } = asRecord(value) ?? {}
    const words = prose(description, leave)
    return words === "" ? [] : [`<h2>${Bun.escapeHTML(asText(name))}</h2>${words}`]
  })
}

/** Descriptions are Markdown; headings of theirs would end the section of the operation. */
function prose(value: unknown, leave?: ApiReading["leave"]): string {
  const text = asText(value)
  if (typeof value === "string" && value.length > maxTextCharacters)
    leave?.("limit", value.slice(maxTextCharacters))
  return text && Bun.markdown.html(withinParserLimits(text)).replace(/<(\/?)h[1-6]\b[^<>]*>/g, "<$1p>")
}

function inline(text: string): string {
  return prose(text)
    .replace(/<\/?p>/g, " ")
    .trim()
}
