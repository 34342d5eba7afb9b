import { asList, asRecord, asText, type Given, type Resolve } from "./given.ts"

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
export function schemaFields(schema: unknown, resolve: Resolve): SchemaField[] {
  const fields: SchemaField[] = []
  visit(schema, "", 0)
  return fields

  function visit(value: unknown, path: string, depth: number): void {
    const resolved = resolve(value)
    if (!resolved || depth > most.depth || fields.length >= most.fields) return
    for (const part of ["allOf", "oneOf", "anyOf"].flatMap((key) => asList(resolved[key])))
      visit(part, path, depth + 1)
    if (resolved["items"] !== undefined) visit(resolved["items"], `${path}[]`, depth + 1)
    const required = new Set(asList(resolved["required"]))
    for (const [name, property] of Object.entries(asRecord(resolved["properties"]) ?? {})) {
      if (fields.length >= most.fields) return
      const field = resolve(property) ?? {}
      const whole = path === "" ? name : `${path}.${name}`
      fields.push({
        name: whole,
        type: schemaType(field, resolve),
        required: required.has(name),
        description: asText(field["description"]) || asText(field["title"]),
      })
      visit(field, whole, depth + 1)
    }
  }
}

/** Values that are told of a list of allowed ones. */
const maxValues = 20

/** `string (email)`, `integer`, `« a », « b »`, `string[]`; empty where the schema does not tell. */
export function schemaType(resolved: Given, resolve: Resolve): string {
  const values = asList(resolved["enum"]).slice(0, maxValues)
  if (values.length > 0) return values.map(String).join(" | ")
  const types = Array.isArray(resolved["type"])
    ? resolved["type"].filter((type) => type !== "null")
    : [resolved["type"]]
  const type = types.map(asText).filter(Boolean).join(" | ")
  if (type === "array") return `${asText(resolve(resolved["items"])?.["type"])}[]`
  const format = asText(resolved["format"])
  return format ? `${type} (${format})`.trim() : type
}
