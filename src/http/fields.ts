import { Kind, OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox"
import { type Detail, detail, Refusal } from "../base/errors.ts"
import { isLongerThan } from "../base/text.ts"
import { readObject } from "./body.ts"
import { unknownMembers } from "./members/unknown.ts"

/** Reads a request's body by the schema that documents it. Throws Refusal `invalid_request`. */
export async function bodyOf<Body extends TObject>(
  request: Request,
  maxBytes: number,
  schema: Body,
): Promise<Static<Body>> {
  return fieldsOf(await readObject(request, maxBytes), schema)
}

/**
 * Returns the fields of a JSON object that a schema describes. The caller checks rules beyond the type. Throws Refusal
 * `invalid_request` with an entry for every missing, invalid or unknown field at once.
 */
export function fieldsOf<Body extends TObject>(body: Record<string, unknown>, schema: Body): Static<Body> {
  const wrong = unknownMembers(body, schema)
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    const fault = value === undefined ? absence(field) : faultOf(value, field)
    if (fault) wrong[name] = fault
    else if (value !== undefined) read[name] = value
  }
  refuseWrong(wrong)
  return read as Static<Body>
}

/** The same for fields that are judged elsewhere: unknown ones alone are refused. */
export function knownFields(body: Record<string, unknown>, schema: TObject): Record<string, unknown> {
  refuseWrong(unknownMembers(body, schema))
  return body
}

function refuseWrong(fields: Record<string, Detail>): void {
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("requests.wrongFields"), { fields })
}

function absence(field: TSchema): Detail | undefined {
  return OptionalKind in field ? undefined : detail("requests.required")
}

/**
 * The fault of a value that does not fit its schema. Schemas of bodies consist of these few kinds. TypeBox's own
 * `Value.Errors` counts UTF-16 units where the API counts code points, lets lone surrogates and NUL pass, knows no
 * `enum` of `oneOf`, and would run every pattern on texts that the callers judge with sentences of their own.
 */
function faultOf(value: unknown, field: TSchema): Detail | undefined {
  const wrong = (right: boolean, told: Detail) => (right ? undefined : told)
  if (field["enum"])
    return wrong(field["enum"].includes(value), detail("requests.oneOf", { choices: field["enum"] }))
  if (field["anyOf"]) {
    const [some] = field["anyOf"] as TSchema[]
    if (value === null || !some) return undefined
    return some["type"] === "integer"
      ? wrong(
          isWhole(value, some),
          detail("requests.wholeOrNull", { minimum: some["minimum"], maximum: some["maximum"] }),
        )
      : faultOf(value, some)
  }
  switch (field[Kind]) {
    case "String":
      return typeof value !== "string" || field["maxLength"] === undefined
        ? wrong(isText(value), detail("requests.text"))
        : wrong(
            isText(value, field["maxLength"]),
            detail("requests.textUpTo", { maximum: field["maxLength"] }),
          )
    case "Array":
      return wrong(
        Array.isArray(value) && value.every((item) => isItem(item, field)),
        field["items"].enum
          ? detail("requests.someOf", { choices: field["items"].enum })
          : detail("requests.texts"),
      )
    case "Boolean":
      return wrong(typeof value === "boolean", detail("requests.flag"))
    case "Integer":
      return wrong(isWhole(value, field), detail("requests.whole", { minimum: field["minimum"] }))
    default:
      // The caller checks other shapes itself.
      return undefined
  }
}

function isItem(item: unknown, { items }: TSchema): boolean {
  return isText(item, items.maxLength) && (items.enum === undefined || items.enum.includes(item))
}

function isWhole(value: unknown, { minimum, maximum = Number.MAX_SAFE_INTEGER }: TSchema): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum
}

/** `maxLength` in code points. Refuses a lone surrogate and NUL, which cannot be stored unchanged. */
function isText(value: unknown, maxLength = Number.POSITIVE_INFINITY): boolean {
  return (
    typeof value === "string" &&
    value.isWellFormed() &&
    !value.includes("\0") &&
    !isLongerThan(value, maxLength)
  )
}
