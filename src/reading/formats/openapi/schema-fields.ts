import { type ApiReading, asList, asRecord, asText, type Given } from "./given.ts"
import { schemaNotes } from "./schema-notes.ts"

/** One field of a body or a reply, by its path: `adresse.rue`, `lignes[].prix`, `etiquettes.*`. */
export interface SchemaField {
  name: string
  notes: string[]
  description: string
}

/** Parts of one body that are looked at: a schema may hold itself. */
const maxParts = 2000

/** The fields of a JSON schema, those of its parts included. */
export function schemaFields(schema: unknown, reading: ApiReading): SchemaField[] {
  const { resolve, labels, leave, fieldLimits: most } = reading
  const fields: SchemaField[] = []
  let parts = maxParts
  visit(schema, "", [], [])
  return fields

  function visit(value: unknown, path: string, above: readonly Given[], needed: readonly unknown[]): void {
    const resolved = resolve(value)
    if (!resolved || --parts < 0) return
    const properties = Object.entries(asRecord(resolved["properties"]) ?? {})
    if (above.length > most.depth || fields.length >= most.fields) {
      const holdsItself = new Set([...above, resolved]).size <= above.length
      if (properties.length > 0 && !holdsItself) leave("limit", path || properties[0]?.[0] || "")
      return
    }
    const within = [...above, resolved]
    // A part lists the fields that another part describes.
    const required = [...needed, ...asList(resolved["required"])]
    for (const part of ["allOf", "oneOf", "anyOf"].flatMap((key) => asList(resolved[key])))
      visit(part, path, within, required)
    if (resolved["items"] !== undefined) visit(resolved["items"], `${path}[]`, within, [])
    for (const [name, property] of properties)
      add(path === "" ? name : `${path}.${name}`, property, within, required.includes(name))
    const others = resolved["additionalProperties"]
    if (Object.keys(asRecord(others) ?? {}).length > 0)
      add(path === "" ? "*" : `${path}.*`, others, within, false)
  }

  function add(name: string, property: unknown, within: readonly Given[], isRequired: boolean): void {
    if (fields.length >= most.fields) {
      leave("limit", name)
      return
    }
    const field = resolve(property) ?? {}
    const [type = "", ...notes] = schemaNotes(field, reading)
    fields.push({
      name,
      notes: [type, isRequired ? labels.required : "", ...notes].filter(Boolean),
      description: asText(field["description"]) || asText(field["title"]),
    })
    visit(property, name, within, [])
  }
}
