import type { TObject, TSchema } from "@sinclair/typebox"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { nearWords } from "../../base/near-words.ts"

/** A few are enough to see the mistake: the reply to a small body must not grow to megabytes. */
const maxTold = 20

/**
 * The members of a body that its schema does not name, by path (`fields.0.requird`): a mistyped name must not pass for
 * an absent one. An object with `additionalProperties: true` ignores what it does not know.
 */
export function unknownMembers(body: object, schema: TObject): Record<string, Detail> {
  return Object.fromEntries(unknownIn(body, [schema], "").take(maxTold))
}

function* unknownIn(value: unknown, schemas: readonly TSchema[], path: string): Generator<[string, Detail]> {
  if (typeof value !== "object" || value === null) return
  const possible = schemas.flatMap(alternatives)
  if (Array.isArray(value)) {
    const items = possible.flatMap((schema) => (schema["items"] as TSchema | undefined) ?? [])
    // A body may hold a hundred thousand texts, which have no members.
    for (const [index, item] of value.entries())
      if (typeof item === "object") yield* unknownIn(item, items, `${path}${index}.`)
    return
  }
  const objects = possible.flatMap(({ properties, additionalProperties }) =>
    properties && additionalProperties !== true ? [properties as Record<string, TSchema>] : [],
  )
  if (objects.length === 0) return
  const names = [...new Set(objects.flatMap(Object.keys))]
  for (const [name, member] of Object.entries(value)) {
    const own = objects.flatMap((properties) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
    )
    if (own.length === 0) yield [`${path}${name}`, fault(name, names)]
    else yield* unknownIn(member, own, `${path}${name}.`)
  }
}

function alternatives(schema: TSchema): TSchema[] {
  const { properties, anyOf } = schema
  return anyOf && !properties ? (anyOf as TSchema[]).flatMap(alternatives) : [schema]
}

function fault(name: string, known: readonly string[]): Detail {
  const meant = nearest(name, known)
  return meant === undefined
    ? detail("requests.unknownField", { known })
    : detail("requests.mistypedField", { name, meant })
}

/**
 * A change without the members that the record shows and no change can set: they may be sent back as they are.
 * `present` is the record where it is known. Throws Refusal `invalid_request` for one that would be another.
 */
export function withoutShown(
  change: Record<string, unknown>,
  input: TObject,
  record: TSchema,
  present: object | undefined,
): Record<string, unknown> {
  const isShown = (name: string) => isIn(record["properties"], name) && !isIn(input.properties, name)
  const now = present as Record<string, unknown> | undefined
  const changed = Object.keys(change).filter(
    (name) => isShown(name) && now !== undefined && !Bun.deepEquals(change[name], now[name]),
  )
  // Null is shown where a record has no room for a member, as the `test_answer` of an ordinary endpoint.
  const isNothing = (name: string) => change[name] === null && now?.[name] === null
  if (changed.length === 0)
    return Object.fromEntries(Object.entries(change).filter(([name]) => !isShown(name) && !isNothing(name)))
  const fields = Object.fromEntries(changed.map((name) => [name, detail("requests.shownOnly")]))
  throw new Refusal("invalid_request", detail("requests.wrongFields"), { fields })
}

function isIn(properties: object | undefined, name: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, name)
}

/** Longer texts are not compared. */
const maxLength = 64
/** Edits by which a mistyped name differs from the one that was meant. */
const maxEdits = 2

/** The one of the names that was probably meant by a mistyped one. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > maxLength) return undefined
  const edits = new Map(
    nearWords(typed.toLowerCase(), names, maxEdits, false).map(({ at, errors }) => [at, errors]),
  )
  const near = names
    .map((name, at) => ({
      name,
      edits: isBeginning(typed, name) ? maxEdits : (edits.get(at) ?? name.length),
    }))
    .filter(({ name, edits }) => edits < name.length / 2)
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.name
}

/** `redirect` for `redirect_url`. */
function isBeginning(typed: string, name: string): boolean {
  return typed.length > maxEdits && name.startsWith(`${typed}_`)
}
