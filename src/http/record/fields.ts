import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox"
import { type Detail, detail, type Explanation, Refusal } from "../../base/errors.ts"
import { isObject } from "../../base/names.ts"
import { isLongerThan } from "../../base/text.ts"
import { readObject } from "../body.ts"
import { type Rule, ruleOf } from "./rule.ts"
import { unknownMembers } from "./unknown.ts"

/** Reads a request's body by the schema that documents it. Throws Refusal `invalid_request`. */
export async function bodyOf<Body extends TObject>(
  request: Request,
  maxBytes: number,
  schema: Body,
): Promise<Static<Body>> {
  return fieldsOf(await readObject(request, maxBytes), schema)
}

/** In the form in which they are stored. Throws Refusal `invalid_request` with every fault at once. */
export function fieldsOf<Body extends TObject>(
  body: Record<string, unknown>,
  schema: Body,
  timezone?: string,
): Static<Body> {
  const wrong: Wrong = {}
  const read = readFields(body, schema, wrong, timezone)
  refuseWrong(wrong, schema)
  return read as Static<Body>
}

/** The parameters of an address, which are all texts. Ignores parameters that the schema does not describe. */
export function queryOf<Query extends TObject>(
  query: Readonly<Record<string, string | undefined>>,
  schema: Query,
  timezone?: string,
): Static<Query> {
  const wrong: Wrong = {}
  const typed = Object.entries(query).map(([name, value]) => {
    const isNumber = schema.properties[name]?.["type"] === "integer" && /^\d{1,15}$/.test(value ?? "")
    return [name, isNumber ? Number(value) : value]
  })
  const read = readMembers(Object.fromEntries(typed), schema, "", { wrong, timezone })
  if (Object.keys(wrong).length === 0) return read as Static<Query>
  throw new Refusal("invalid_request", detail("requests.invalidRequest"), { fields: wrong })
}

/** Faults of an object by path (`fields.0.name`). */
export type Wrong = Record<string, Explanation>

/** As `fieldsOf`, for a caller who finds further faults: a member at fault is undefined. */
export function readFields(
  body: Record<string, unknown>,
  schema: TObject,
  wrong: Wrong,
  timezone?: string,
): Record<string, unknown> {
  Object.assign(wrong, unknownMembers(body, schema))
  return readMembers(body, schema, "", { wrong, timezone })
}

interface Reading {
  wrong: Wrong
  /** For times that name no zone; needed only by schemas with such times. */
  timezone: string | undefined
}

/** Throws Refusal `invalid_request` unless nothing is wrong. */
export function refuseWrong(fields: Wrong, schema: TObject): void {
  if (Object.keys(fields).length === 0) return
  throw new Refusal("invalid_request", ruleOf(schema).told ?? detail("requests.wrongFields"), { fields })
}

function readMembers(body: Record<string, unknown>, schema: TObject, path: string, reading: Reading) {
  const read: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    const rule = ruleOf(member)
    if (value !== undefined) read[name] = readValue(value, member, `${path}${name}`, reading)
    else if (!(OptionalKind in member)) refuse(`${path}${name}`, {}, detail("requests.required"), reading)
    else if ("absent" in rule) read[name] = rule.absent
  }
  return read
}

/**
 * The value as its schema reads it; undefined with an entry in `wrong` when it does not fit. TypeBox's own
 * `Value.Errors` counts UTF-16 units where the API counts code points, lets lone surrogates and NUL pass, and knows no
 * `enum` of `oneOf`. A pattern describes to others what the schema's rule reads.
 */
function readValue(value: unknown, schema: TSchema, at: string, reading: Reading, rule = ruleOf(schema)) {
  const choices = allowedValues(schema) as string[] | undefined
  if (choices)
    return choices.includes(value as string)
      ? value
      : refuse(at, rule, detail("requests.oneOf", { choices }), reading)
  if (schema["anyOf"] && !schema["properties"]) return readUnion(value, schema, at, reading, rule)
  if (schema["type"] === "array") return readList(value, schema, at, reading, rule)
  const refuseMember = (member: string, told: Detail) => {
    reading.wrong[`${at}.${member}`] ??= told
  }
  if (schema["type"] === "object") {
    if (!isObject(value)) return refuse(at, rule, detail("requests.object"), reading)
    const members = readMembers(value, schema as TObject, `${at}.`, reading)
    return rule.read ? rule.read(members as never, refuseMember, reading.timezone) : members
  }
  if (schema["type"] === "string" && typeof value !== "string")
    return refuse(at, {}, detail("requests.text"), reading)
  const fits = isOfType(value, schema) && (rule.read !== undefined || isWithin(value, schema))
  const read = fits
    ? rule.read
      ? rule.read(value as never, refuseMember, reading.timezone)
      : value
    : undefined
  return read === undefined ? refuse(at, rule, usualSentence(schema), reading) : read
}

/** A list keeps what its items keep; its faults are told at its own path, unless the items are objects. */
function readList(value: unknown, schema: TSchema, at: string, reading: Reading, rule: Rule): unknown {
  const items = schema["items"] as TSchema
  const choices = items["enum"] as string[] | undefined
  const usual = choices ? detail("requests.someOf", { choices }) : detail("requests.texts")
  if (!Array.isArray(value)) return refuse(at, rule.isWhole || isShape(items) ? rule : {}, usual, reading)
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  // A body may hold a hundred thousand of them. Where a rule folds equal ones, it counts what is left.
  if (value.length > maxItems && !rule.read) return refuse(at, rule, usual, reading)
  const inItems: Wrong = {}
  const isToldOnce = !rule.isWhole && !isShape(items)
  const read: unknown[] = []
  for (const [index, item] of value.entries()) {
    read.push(readValue(item, items, String(index), { ...reading, wrong: inItems }))
    // A hundred thousand wrong texts have one sentence.
    if (isToldOnce && Object.hasOwn(inItems, index)) return refuse(at, ruleOf(items), usual, reading)
  }
  const [fault] = Object.keys(inItems)
  if (fault !== undefined && !rule.isWhole) {
    for (const [path, told] of Object.entries(inItems)) reading.wrong[`${at}.${path}`] ??= told
    return read
  }
  const stored =
    fault === undefined
      ? rule.read
        ? rule.read(read as never, () => {}, reading.timezone)
        : read
      : undefined
  return Array.isArray(stored) && stored.length >= minItems && stored.length <= maxItems
    ? stored
    : refuse(at, rule, usual, reading)
}

/** A value or null, for which an empty text may stand too; or one of several shapes of an object, by its `type`. */
function readUnion(value: unknown, schema: TSchema, at: string, reading: Reading, rule: Rule): unknown {
  const all = schema["anyOf"] as TSchema[]
  const isNullable = all.some(({ type }) => type === "null")
  if (isNullable && (value === null || (value === "" && all.some((each) => each["const"] === ""))))
    return null
  const [first, ...others] = all.filter((each) => each["type"] !== "null" && each["const"] === undefined)
  const type = isObject(value) ? value["type"] : undefined
  const shape =
    others.find(({ properties }) => allowedValues(properties?.type ?? {})?.includes(type)) ?? first
  if (!shape) return value
  const { elsewhere } = ruleOf(shape)
  if (elsewhere && isObject(value))
    for (const name of Object.keys(value))
      if (!Object.hasOwn(shape["properties"], name) && value[name] !== null && hasMember(all, name))
        reading.wrong[`${at}.${name}`] ??= elsewhere
  const whole = isNullable && shape["type"] === "integer" ? { told: wholeOrNull(shape) } : {}
  return readValue(value, shape, at, reading, { ...whole, ...ruleOf(shape), ...rule })
}

function refuse(at: string, { told }: Rule, usual: Detail, reading: Reading): undefined {
  reading.wrong[at] ??= told ?? usual
}

function allowedValues(schema: Partial<TSchema>): unknown[] | undefined {
  return schema["const"] === undefined ? schema["enum"] : [schema["const"]]
}

/** Whether values are objects, whose members have faults of their own. */
function isShape({ type, anyOf = [] }: TSchema): boolean {
  return type === "object" || anyOf.some(isShape)
}

function hasMember(shapes: readonly TSchema[], name: string): boolean {
  return shapes.some(({ properties = {} }) => Object.hasOwn(properties, name))
}

/** A lone surrogate and NUL cannot be stored unchanged. */
function isOfType(value: unknown, { type }: TSchema): boolean {
  if (type === "string") return typeof value === "string" && value.isWellFormed() && !value.includes("\0")
  if (type === "integer") return Number.isSafeInteger(value)
  return type === "number" ? Number.isFinite(value) : typeof value === type
}

/** Lengths count code points. */
function isWithin(value: unknown, { minLength = 0, maxLength, minimum, maximum }: TSchema): boolean {
  if (typeof value === "string")
    return value.length >= minLength && (maxLength === undefined || !isLongerThan(value, maxLength))
  return typeof value !== "number" || (!(value < minimum) && !(value > maximum))
}

function usualSentence({ type, maxLength, minimum }: TSchema): Detail {
  if (type === "boolean") return detail("requests.flag")
  if (type !== "string") return detail("requests.whole", { minimum })
  return maxLength === undefined
    ? detail("requests.text")
    : detail("requests.textUpTo", { maximum: maxLength })
}

function wholeOrNull({ minimum, maximum }: TSchema): Detail {
  return detail("requests.wholeOrNull", { minimum, maximum })
}
