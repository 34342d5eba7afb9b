import { type Given, listOf, type Resolve, recordOf, textOf } from "./given.ts"

/** One field of a body or a reply, by its path: `adresse.rue`, `lignes[].prix`. */
export interface SchemaField {
  name: string
  type: string
  required: boolean
  description: string
}

/** Fields that are told of one body, and how deep within each other: a schema may hold itself. */
const most = { fields: 60, depth: 4 }

/** The fields of a JSON schema, those of its parts included. */
export function fieldsOf(schema: unknown, resolve: Resolve): SchemaField[] {
  const fields: SchemaField[] = []
  visit(schema, "", 0)
  return fields

  function visit(value: unknown, path: string, depth: number): void {
    const given = resolve(value)
    if (!given || depth > most.depth || fields.length >= most.fields) return
    for (const part of ["allOf", "oneOf", "anyOf"].flatMap((key) => listOf(given[key])))
      visit(part, path, depth + 1)
    if (given["items"] !== undefined) visit(given["items"], `${path}[]`, depth + 1)
    const required = new Set(listOf(given["required"]))
    for (const [name, property] of Object.entries(recordOf(given["properties"]) ?? {})) {
      if (fields.length >= most.fields) return
      const field = resolve(property) ?? {}
      const whole = path === "" ? name : `${path}.${name}`
      fields.push({
        name: whole,
        type: typeOf(field, resolve),
        required: required.has(name),
        description: textOf(field["description"]) || textOf(field["title"]),
      })
      visit(field, whole, depth + 1)
    }
  }
}

/** Values that are told of a list of allowed ones. */
const maxValues = 20

/** `string (email)`, `integer`, `« a », « b »`, `string[]`; empty where the schema does not tell. */
export function typeOf(given: Given, resolve: Resolve): string {
  const values = listOf(given["enum"]).slice(0, maxValues)
  if (values.length > 0) return values.map(String).join(" | ")
  const types = Array.isArray(given["type"])
    ? given["type"].filter((type) => type !== "null")
    : [given["type"]]
  const type = types.map(textOf).filter(Boolean).join(" | ")
  if (type === "array") return `${textOf(resolve(given["items"])?.["type"])}[]`
  const format = textOf(given["format"])
  return format ? `${type} (${format})`.trim() : type
}
