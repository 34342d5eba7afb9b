import { type ApiReading, asList, asRecord, asText, type Given, type Resolve } from "./given.ts"
import type { Labels } from "./labels.ts"

/**
 * A schema that wraps one other is that one, with its own words before those of the other: FastAPI says `anyOf` a
 * schema or null of a field that may be left out, drf-spectacular `allOf` one reference to say more beside it.
 */
export function unwrapped(schema: Given, resolve: Resolve, depth = 0): Given {
  const { allOf, anyOf, oneOf, ...own } = schema
  const all = partsOf(schema, ["allOf"], resolve)
  const alternatives = partsOf(schema, ["anyOf", "oneOf"], resolve)
  const wanted = [...all.filter((part) => !isBeside(part)), ...alternatives.filter((part) => !isNull(part))]
  const [only, ...others] = wanted
  if (!only || others.length > 0 || depth > maxDepth) return schema
  const beside = all.filter(isBeside)
  const words = beside.map(({ type, ...words }) => words)
  const nullable = (alternatives.some(isNull) || beside.some(({ type }) => type)) && { nullable: true }
  return Object.assign({}, unwrapped(only, resolve, depth + 1), ...words, own, nullable)
}

const shapes = "enum const properties items prefixItems additionalProperties allOf anyOf oneOf".split(" ")

/** zod-to-openapi says more beside a reference, or allows null, by a second part of `allOf`. */
function isBeside(part: Given): boolean {
  const { type } = part
  return shapes.every((name) => part[name] === undefined) && (!type || asList(type).includes("null"))
}

function partsOf(schema: Given, kinds: readonly string[], resolve: Resolve): Given[] {
  const parts = kinds.flatMap((kind) => asList(schema[kind]).slice(0, maxValues + 1))
  return parts.map((part) => resolve(part) ?? {})
}

/** OpenAPI 3.0 has no such type, and drf-spectacular a list of the one value for it. */
function isNull(schema: Given): boolean {
  const values = asList(schema["enum"])
  return schema["type"] === "null" || (values.length === 1 && values[0] === null)
}

/** The notes of a schema on its values, beside their description: type, bounds, usual value, examples. */
export function schemaNotes(schema: Given, { resolve, labels }: ApiReading): string[] {
  const is = (name: string, label: string) => (schema[name] === true ? label : "")
  const says = (name: string, label: string) =>
    schema[name] === undefined ? "" : `${label} ${value(schema[name])}`
  const types = asList(schema["type"])
  const alternatives = partsOf(schema, ["oneOf", "anyOf"], resolve)
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
    schema["nullable"] === true || types.includes("null") || alternatives.some(isNull) ? labels.nullable : "",
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

/** By depth. A few parts that refer to each other are the same schemas many thousand times. */
const knownTypes = new WeakMap<Given, string[]>()

/** `string (email)`, `integer`, `a | b`, `string[]`; empty where the schema does not tell. */
export function schemaType(schema: Given, resolve: Resolve, depth = 0): string {
  if (depth > maxDepth) return ""
  const known = knownTypes.get(schema) ?? []
  knownTypes.set(schema, known)
  known[depth] ??= typeOf(schema, resolve, depth)
  return known[depth]
}

function typeOf(schema: Given, resolve: Resolve, depth: number): string {
  const own = depth > 0 && schema["const"] !== undefined ? [schema["const"]] : asList(schema["enum"])
  const values = [...own, ...singleValues(schema, resolve).map(({ value }) => value)]
  if (values.length > 0)
    return [...values.slice(0, maxValues).map(String), ...(values.length > maxValues ? ["…"] : [])].join(
      " | ",
    )
  const types = Array.isArray(schema["type"])
    ? schema["type"].filter((type) => type !== "null")
    : [schema["type"]]
  const type = types.map(asText).filter(Boolean).join(" | ")
  const places = tupleItems(schema)
  if (places.length > 0) {
    const each = places.map((part) => schemaType(resolve(part) ?? {}, resolve, depth + 1) || "…").join(", ")
    // Ten places of ten places and so on would be a page.
    return each.length > maxCharacters ? "array" : `[${each}]`
  }
  if (type === "array") {
    const item = schemaType(resolve(schema["items"]) ?? {}, resolve, depth + 1)
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`
  }
  if (type === "") {
    const parts = ["oneOf", "anyOf", "allOf"].flatMap((key) => asList(schema[key]).slice(0, maxParts))
    const wanted = parts.map((part) => resolve(part) ?? {}).filter((part) => !isNull(part))
    return [...new Set(wanted.map((part) => schemaType(part, resolve, depth + 1)))]
      .filter(Boolean)
      .join(" | ")
  }
  const format = asText(schema["format"])
  return format ? `${type} (${format})`.trim() : type
}

/** The allowed values where each has a part of its own (TypeBox, schemars), which may say what it means. */
export function singleValues(schema: Given, resolve: Resolve): { value: unknown; words: string }[] {
  const parts = partsOf(schema, ["oneOf", "anyOf"], resolve).filter((part) => !isNull(part))
  const values = parts.map((part) => {
    const [first, ...others] = asList(part["enum"])
    const value = part["const"] ?? (others.length === 0 ? first : undefined)
    return { value, words: asText(part["description"]) }
  })
  return values.every(({ value }) => value !== undefined) ? values : []
}

/** The schemas of an array's places where each has its own: `prefixItems`, or a list in `items` (TypeBox). */
export function tupleItems(schema: Given): unknown[] {
  return [...asList(schema["prefixItems"]), ...asList(schema["items"])].slice(0, maxParts)
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
