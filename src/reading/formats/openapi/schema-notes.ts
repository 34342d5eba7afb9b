import { type ApiReading, asList, asRecord, asText, type Given, type Resolve } from "./given.ts"
import type { Labels } from "./labels.ts"

/** The notes of a schema on its values, beside their description: type, bounds, usual value, examples. */
export function schemaNotes(schema: Given, { resolve, labels }: ApiReading): string[] {
  const is = (name: string, label: string) => (schema[name] === true ? label : "")
  const says = (name: string, label: string) =>
    schema[name] === undefined ? "" : `${label} ${value(schema[name])}`
  const types = asList(schema["type"])
  return [
    schemaType(schema, resolve),
    says("const", labels.always),
    ...bounds(schema, labels),
    ...span(schema["minLength"], schema["maxLength"], labels, labels.characters),
    ...span(schema["minItems"], schema["maxItems"], labels, labels.items),
    says("multipleOf", labels.multipleOf),
    is("uniqueItems", labels.unique),
    says("pattern", labels.pattern),
    says("default", labels.usual),
    schema["nullable"] === true || types.includes("null") ? labels.nullable : "",
    is("readOnly", labels.readOnly),
    is("writeOnly", labels.writeOnly),
    is("deprecated", labels.isDeprecated),
    exampleNote(schema, resolve, labels),
  ].filter(Boolean)
}

/** Values that are told of a list of allowed ones. */
const maxValues = 50
/** Parts of a schema whose types are told together, and how deep within each other. */
const maxParts = 10
const maxDepth = 3

/** `string (email)`, `integer`, `a | b`, `string[]`; empty where the schema does not tell. */
export function schemaType(schema: Given, resolve: Resolve, depth = 0): string {
  if (depth > maxDepth) return ""
  const values = asList(schema["enum"])
  if (values.length > 0)
    return [...values.slice(0, maxValues).map(String), ...(values.length > maxValues ? ["…"] : [])].join(
      " | ",
    )
  const types = Array.isArray(schema["type"])
    ? schema["type"].filter((type) => type !== "null")
    : [schema["type"]]
  const type = types.map(asText).filter(Boolean).join(" | ")
  if (type === "array") {
    const item = schemaType(resolve(schema["items"]) ?? {}, resolve, depth + 1)
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`
  }
  if (type === "") {
    const parts = ["oneOf", "anyOf", "allOf"].flatMap((key) => asList(schema[key]).slice(0, maxParts))
    return [...new Set(parts.map((part) => schemaType(resolve(part) ?? {}, resolve, depth + 1)))]
      .filter(Boolean)
      .join(" | ")
  }
  const format = asText(schema["format"])
  return format ? `${type} (${format})`.trim() : type
}

/** In OpenAPI 3.0 `exclusiveMinimum` is a word about `minimum`, later it is a number. */
function bounds(schema: Given, labels: Labels): string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const isAbove = above === true
  const isBelow = below === true
  return [
    ...span(isAbove ? undefined : minimum, isBelow ? undefined : maximum, labels),
    ...(isAbove || typeof above === "number"
      ? [`${labels.moreThan} ${value(isAbove ? minimum : above)}`]
      : []),
    ...(isBelow || typeof below === "number"
      ? [`${labels.lessThan} ${value(isBelow ? maximum : below)}`]
      : []),
  ]
}

function span(
  least: unknown,
  most: unknown,
  labels: Labels,
  [one, many] = ["", ""] as readonly string[],
): string[] {
  const [from, to] = [least, most].map((bound) => (bound === undefined ? "" : value(bound))) as [
    string,
    string,
  ]
  if (from === "" && to === "") return []
  const unit = (to || from) === "1" ? one : many
  const words = [labels.least, from]
  if (from !== "" && to !== "") words.splice(0, 2, from === to ? from : labels.range(from, to))
  else if (from === "") words.splice(0, 2, labels.most, to)
  return [[...words, unit].join(" ").trim()]
}

function exampleNote(schema: Given, resolve: Resolve, labels: Labels): string {
  const shown = listExamples(schema, resolve)
    .filter(({ example }) => typeof example !== "object")
    .map(({ example }) => value(example))
  return shown.length === 0 ? "" : `${labels.example("").toLowerCase()} ${shown.slice(0, 5).join(", ")}`
}

export interface Example {
  name: string
  example: unknown
}

/** The examples of a schema, parameter or body: one, a list, or named ones that may stand elsewhere. */
export function listExamples(given: Given, resolve: Resolve): Example[] {
  const { example, examples } = given
  if (example !== undefined) return [{ name: "", example }]
  if (Array.isArray(examples)) return examples.map((each) => ({ name: "", example: each }))
  return Object.entries(asRecord(examples) ?? {}).flatMap(([name, each]) => {
    const { value: example, summary } = resolve(each) ?? {}
    return example === undefined ? [] : [{ name: asText(summary) || name, example }]
  })
}

const maxCharacters = 200

/** A value in a line of text. */
function value(given: unknown): string {
  const text = typeof given === "string" ? given : (JSON.stringify(given) ?? "")
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text
}
