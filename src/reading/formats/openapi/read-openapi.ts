import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../document.ts"
import { withinParserLimits } from "../markdown/parser-limits.ts"
import { htmlItems, type Place, toDocument } from "../structured.ts"
import { asList, asRecord, asText, type Given, type Resolve, resolver } from "./given.ts"
import { type Labels, labelsFor } from "./labels.ts"
import { type SchemaField, schemaFields, schemaType } from "./schema-fields.ts"

/** Operations, and characters of all of them, that are read of one document. */
const most = { operations: 2000, characters: 3_000_000 }
const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

/**
 * Reads the description of an interface (OpenAPI 3.0 and 3.1, Swagger 2; JSON or YAML): a section for each operation,
 * whose anchor points to it in the document (RFC 6901).
 */
export function readOpenApi(text: string, place: Place): Document | LeftOut {
  const document = parsed(text)
  if (!document || !(asText(document["openapi"]) || String(document["swagger"] ?? "").startsWith("2")))
    return { leftOut: "unreadable", detail: detail("reading.otherData") }
  const info = asRecord(document["info"]) ?? {}
  const labels = labelsFor(text)
  const resolve = resolver(document)
  const parts = [
    `<h1>${Bun.escapeHTML(asText(info["title"]) || "API")}</h1>`,
    prose(info["summary"]),
    prose(info["description"]),
    serversHtml(document, labels),
    securityHtml(document, resolve, labels),
  ]
  let characters = 0
  let operations = 0
  for (const operation of listOperations(document, resolve)) {
    if (++operations > most.operations || characters > most.characters) break
    const html = operationHtml(operation, resolve, labels)
    characters += html.length
    parts.push(html)
  }
  const items = htmlItems(parts.join("\n"), place)
  return "leftOut" in items ? items : toDocument(items, place, { title: undefined, format: "openapi" })
}

function parsed(text: string): Given | undefined {
  try {
    return asRecord(/^\s*\{/.test(text) ? JSON.parse(text) : Bun.YAML.parse(text))
  } catch {
    return undefined
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
    for (const [path, value] of Object.entries(asRecord(document[key]) ?? {})) {
      const item = resolve(value) ?? {}
      for (const method of methods) {
        const given = asRecord(item[method])
        const pointer = `/${key}/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`
        if (given) yield { method, path, pointer, given, shared: asList(item["parameters"]) }
      }
    }
}

function operationHtml(
  { method, path, pointer, given, shared }: Operation,
  resolve: Resolve,
  labels: Labels,
) {
  const call = `${method.toUpperCase()} ${path}`
  const summary = asText(given["summary"])
  const parameters = [...shared, ...asList(given["parameters"])].flatMap((each): Given[] => {
    const parameter = resolve(each)
    return parameter ? [parameter] : []
  })
  const body = parameters.find((each) => each["in"] === "body")
  const content: Given = resolve(given["requestBody"]) ?? body ?? {}
  const fields = schemaFields(schemaIn(content), resolve)
  return [
    `<h2 id="${Bun.escapeHTML(pointer)}">${Bun.escapeHTML(summary ? `${summary} (${call})` : call)}</h2>`,
    given["deprecated"] === true ? `<p>${labels.deprecated}</p>` : "",
    prose(given["description"]),
    listed(
      labels.parameters,
      parameters.filter((each) => each !== body).map((each) => parameterField(each, resolve)),
      labels,
    ),
    prose(content["description"]),
    listed(labels.body, fields, labels),
    repliesHtml(given, resolve, labels),
  ].join("\n")
}

function parameterField(given: Given, resolve: Resolve): SchemaField {
  const schema = resolve(given["schema"]) ?? given
  return {
    name: asText(given["name"]),
    type: [asText(given["in"]), schemaType(schema, resolve)].filter(Boolean).join(", "),
    required: given["required"] === true,
    description: asText(given["description"]),
  }
}

/** The schema of a body or reply: JSON's, else the first. */
function schemaIn(given: Given): unknown {
  if (given["schema"] !== undefined) return given["schema"]
  const content = asRecord(given["content"]) ?? {}
  const type = Object.keys(content).find((each) => each.includes("json")) ?? Object.keys(content)[0]
  return type === undefined ? undefined : asRecord(content[type])?.["schema"]
}

function repliesHtml(given: Given, resolve: Resolve, labels: Labels): string {
  const replies = Object.entries(asRecord(given["responses"]) ?? {}).slice(0, 30)
  const lines = replies.map(([status, value]) => {
    const reply = resolve(value) ?? {}
    const fields = /^2/.test(status) ? schemaFields(schemaIn(reply), resolve) : []
    const description = inline(asText(reply["description"]))
    return `<li>${Bun.escapeHTML(status)}${description && ` : ${description}`}${items(fields, labels)}</li>`
  })
  return lines.length === 0 ? "" : `<p>${labels.replies}</p><ul>${lines.join("")}</ul>`
}

function listed(label: string, fields: SchemaField[], labels: Labels): string {
  return fields.length === 0 ? "" : `<p>${label}</p>${items(fields, labels)}`
}

function items(fields: SchemaField[], labels: Labels): string {
  if (fields.length === 0) return ""
  const lines = fields.map(({ name, type, required, description }) => {
    const notes = [type, required ? labels.required : ""].filter(Boolean).join(", ")
    const words = inline(description)
    return `<li><code>${Bun.escapeHTML(name)}</code>${notes && ` (${Bun.escapeHTML(notes)})`}${words && ` : ${words}`}</li>`
  })
  return `<ul>${lines.join("")}</ul>`
}

function serversHtml(document: Given, labels: Labels): string {
  const host = asText(document["host"])
  const urls = asList(document["servers"]).map((server) => asText(asRecord(server)?.["url"]))
  const all = [...urls, host && `https://${host}${asText(document["basePath"])}`].filter(Boolean).slice(0, 10)
  return all.length === 0
    ? ""
    : `<p>${labels.address} ${all.map((url) => Bun.escapeHTML(url)).join(", ")}</p>`
}

function securityHtml(document: Given, resolve: Resolve, labels: Labels): string {
  const schemes = asRecord(
    asRecord(document["components"])?.["securitySchemes"] ?? document["securityDefinitions"],
  )
  const lines = Object.entries(schemes ?? {})
    .slice(0, 20)
    .map(([name, value]) => {
      const given = resolve(value) ?? {}
      const how = ["type", "scheme", "in", "name"].map((key) => asText(given[key])).filter(Boolean)
      return `<li>${Bun.escapeHTML(`${name} (${how.join(", ")})`)} ${inline(asText(given["description"]))}</li>`
    })
  return lines.length === 0 ? "" : `<h2>${labels.security}</h2><ul>${lines.join("")}</ul>`
}

/** Descriptions are Markdown; headings of theirs would end the section of the operation. */
function prose(value: unknown): string {
  const text = asText(value)
  return text && Bun.markdown.html(withinParserLimits(text)).replace(/<(\/?)h[1-6]\b[^<>]*>/g, "<$1p>")
}

function inline(text: string): string {
  return prose(text)
    .replace(/<\/?p>/g, " ")
    .trim()
}
