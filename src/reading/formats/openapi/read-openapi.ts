import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../document.ts"
import { withinParserLimits } from "../markdown/parser-limits.ts"
import { documentOf, itemsOf, type Place } from "../structured.ts"
import { type Given, listOf, type Resolve, recordOf, resolver, textOf } from "./given.ts"
import { type Labels, labelsFor } from "./labels.ts"
import { fieldsOf, type SchemaField, typeOf } from "./schema-fields.ts"

/** Operations, and characters of all of them, that are read of one document. */
const most = { operations: 2000, characters: 3_000_000 }
const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

/**
 * Reads the description of an interface (OpenAPI 3.0 and 3.1, Swagger 2; JSON or YAML): a section for each operation,
 * whose anchor points to it in the document (RFC 6901).
 */
export function readOpenApi(text: string, place: Place): Document | LeftOut {
  const document = parsed(text)
  if (!document || !(textOf(document["openapi"]) || String(document["swagger"] ?? "").startsWith("2")))
    return { leftOut: "unreadable", detail: detail("reading.otherData") }
  const info = recordOf(document["info"]) ?? {}
  const labels = labelsFor(text)
  const resolve = resolver(document)
  const parts = [
    `<h1>${Bun.escapeHTML(textOf(info["title"]) || "API")}</h1>`,
    prose(info["summary"]),
    prose(info["description"]),
    serversOf(document, labels),
    securityOf(document, resolve, labels),
  ]
  let characters = 0
  let operations = 0
  for (const operation of operationsOf(document, resolve)) {
    if (++operations > most.operations || characters > most.characters) break
    const html = operationHtml(operation, resolve, labels)
    characters += html.length
    parts.push(html)
  }
  const items = itemsOf(parts.join("\n"), place)
  return "leftOut" in items ? items : documentOf(items, place, { title: undefined, format: "openapi" })
}

function parsed(text: string): Given | undefined {
  try {
    return recordOf(/^\s*\{/.test(text) ? JSON.parse(text) : Bun.YAML.parse(text))
  } catch {
    return undefined
  }
}

interface Operation {
  method: string
  path: string
  pointer: string
  given: Given
  /** Of its path item, which all operations of the path have. */
  shared: unknown[]
}

function* operationsOf(document: Given, resolve: Resolve): Generator<Operation> {
  for (const key of ["paths", "webhooks"])
    for (const [path, value] of Object.entries(recordOf(document[key]) ?? {})) {
      const item = resolve(value) ?? {}
      for (const method of methods) {
        const given = recordOf(item[method])
        const pointer = `/${key}/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`
        if (given) yield { method, path, pointer, given, shared: listOf(item["parameters"]) }
      }
    }
}

function operationHtml(
  { method, path, pointer, given, shared }: Operation,
  resolve: Resolve,
  labels: Labels,
) {
  const call = `${method.toUpperCase()} ${path}`
  const summary = textOf(given["summary"])
  const parameters = [...shared, ...listOf(given["parameters"])].flatMap((each): Given[] => {
    const parameter = resolve(each)
    return parameter ? [parameter] : []
  })
  const body = parameters.find((each) => each["in"] === "body")
  const content: Given = resolve(given["requestBody"]) ?? body ?? {}
  const fields = fieldsOf(schemaIn(content), resolve)
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
    repliesOf(given, resolve, labels),
  ].join("\n")
}

function parameterField(given: Given, resolve: Resolve): SchemaField {
  const schema = resolve(given["schema"]) ?? given
  return {
    name: textOf(given["name"]),
    type: [textOf(given["in"]), typeOf(schema, resolve)].filter(Boolean).join(", "),
    required: given["required"] === true,
    description: textOf(given["description"]),
  }
}

/** Of a body or reply: that of JSON, else the first. */
function schemaIn(given: Given): unknown {
  if (given["schema"] !== undefined) return given["schema"]
  const content = recordOf(given["content"]) ?? {}
  const type = Object.keys(content).find((each) => each.includes("json")) ?? Object.keys(content)[0]
  return type === undefined ? undefined : recordOf(content[type])?.["schema"]
}

function repliesOf(given: Given, resolve: Resolve, labels: Labels): string {
  const replies = Object.entries(recordOf(given["responses"]) ?? {}).slice(0, 30)
  const lines = replies.map(([status, value]) => {
    const reply = resolve(value) ?? {}
    const fields = /^2/.test(status) ? fieldsOf(schemaIn(reply), resolve) : []
    const description = inline(textOf(reply["description"]))
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
    const said = inline(description)
    return `<li><code>${Bun.escapeHTML(name)}</code>${notes && ` (${Bun.escapeHTML(notes)})`}${said && ` : ${said}`}</li>`
  })
  return `<ul>${lines.join("")}</ul>`
}

function serversOf(document: Given, labels: Labels): string {
  const host = textOf(document["host"])
  const urls = listOf(document["servers"]).map((server) => textOf(recordOf(server)?.["url"]))
  const all = [...urls, host && `https://${host}${textOf(document["basePath"])}`].filter(Boolean).slice(0, 10)
  return all.length === 0
    ? ""
    : `<p>${labels.address} ${all.map((url) => Bun.escapeHTML(url)).join(", ")}</p>`
}

function securityOf(document: Given, resolve: Resolve, labels: Labels): string {
  const schemes = recordOf(
    recordOf(document["components"])?.["securitySchemes"] ?? document["securityDefinitions"],
  )
  const lines = Object.entries(schemes ?? {})
    .slice(0, 20)
    .map(([name, value]) => {
      const given = resolve(value) ?? {}
      const how = ["type", "scheme", "in", "name"].map((key) => textOf(given[key])).filter(Boolean)
      return `<li>${Bun.escapeHTML(`${name} (${how.join(", ")})`)} ${inline(textOf(given["description"]))}</li>`
    })
  return lines.length === 0 ? "" : `<h2>${labels.security}</h2><ul>${lines.join("")}</ul>`
}

/** Descriptions are Markdown; headings of theirs would end the section of the operation. */
function prose(value: unknown): string {
  const text = textOf(value)
  return text && Bun.markdown.html(withinParserLimits(text)).replace(/<(\/?)h[1-6]\b[^<>]*>/g, "<$1p>")
}

function inline(text: string): string {
  return prose(text)
    .replace(/<\/?p>/g, " ")
    .trim()
}
