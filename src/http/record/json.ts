import type { Static, TObject, TSchema } from "@sinclair/typebox"
import { isoTime } from "../../base/clock.ts"
import { type Camel, camel } from "../../base/names.ts"

/** How a reply shows a record: its schema, and the JSON that follows it. */
export interface Shown<Record, Schema extends TObject = TObject> {
  schema: Schema
  json(record: Record): Static<Schema>
}

/** A record whose properties have the names of the schema's members, in camel case. */
type Named<Schema extends TObject> = {
  readonly [Name in keyof Static<Schema> & string as Camel<Name>]?: unknown
}

/** The members that are not properties of the record, and any others that differ from them. */
type Others<Schema extends TObject, Record> = Partial<Static<Schema>> & {
  [Name in keyof Static<Schema> & string as Camel<Name> extends keyof Record
    ? never
    : Name]: Static<Schema>[Name]
}

/**
 * Shows a record by its schema: each member is the property of its name in camel case, a time in milliseconds is
 * ISO 8601. `others` gives the members that this does not hold for.
 */
export function shown<Schema extends TObject>(schema: Schema): Shown<Named<Schema>, Schema>
export function shown<Schema extends TObject, Record extends object>(
  schema: Schema,
  others: (record: Record) => Others<Schema, Record>,
): Shown<Record, Schema>
export function shown(schema: TObject, others?: (record: never) => object): Shown<never> {
  const write = objectWriter(schema)
  return { schema, json: (record) => write(record, others?.(record)) as never }
}

function objectWriter({ properties }: TObject) {
  const members = Object.entries(properties).map(([name, each]) => [name, camel(name), writer(each)] as const)
  return (record: object, others: object = {}) => {
    const json: Record<string, unknown> = {}
    for (const [name, property, write] of members) {
      const value = name in others ? others[name as never] : write(record[property as never])
      if (value !== undefined) json[name] = value
    }
    return json
  }
}

function writer(schema: TSchema): (value: unknown) => unknown {
  // Follows a union of one shape and null. Any other union has its own way of being shown.
  const [one = schema, ...more] = ((schema["anyOf"] ?? []) as TSchema[]).filter(({ type }) => type !== "null")
  if (more.length > 0) return (value) => value
  if (one["format"] === "date-time") return (value) => (typeof value === "number" ? isoTime(value) : value)
  if (one["type"] === "object" && one["properties"]) {
    const write = objectWriter(one as TObject)
    return (value) => value && write(value)
  }
  if (one["items"]) {
    const write = writer(one["items"] as TSchema)
    return (value) => (value as unknown[] | undefined)?.map(write)
  }
  return (value) => value
}
