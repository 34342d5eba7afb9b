import { type ApiReading, asList, asRecord, asText, type Given } from "./given.ts"
import { schemaNotes, singleValues, tupleItems, unwrapped } from "./schema-notes.ts"

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
    if (asRecord(resolved["items"])) addItem(`${path}[]`, resolved["items"], within)
    for (const [place, item] of tupleItems(resolved).entries()) add(`${path}[${place}]`, item, within, false)
    for (const [name, property] of properties)
      add(path === "" ? name : `${path}.${name}`, property, within, required.includes(name))
    // Keys of a pattern: `t.Record` of TypeBox, `dict` of a constrained text in pydantic.
    const patterns = Object.values(asRecord(resolved["patternProperties"]) ?? {})
    for (const others of [...patterns, resolved["additionalProperties"]])
      if (Object.keys(asRecord(others) ?? {}).length > 0)
        add(path === "" ? "*" : `${path}.*`, others, within, false)
  }

  /** An item that is no object is told where its schema says more than the type, which the list tells. */
  function addItem(name: string, value: unknown, within: readonly Given[]): void {
    const item = unwrapped(resolve(value) ?? {}, resolve)
    const saysMore = asText(item["description"]) !== "" || schemaNotes(item, reading).length > 1
    if (saysMore && !item["properties"]) add(name, value, within, false)
    else visit(value, name, within, [])
  }

  function add(name: string, property: unknown, within: readonly Given[], isRequired: boolean): void {
    if (fields.length >= most.fields) {
      leave("limit", name)
      return
    }
    const field = unwrapped(resolve(property) ?? {}, resolve)
    const [type = "", ...notes] = schemaNotes(field, reading)
    const meanings = singleValues(field, resolve).flatMap(({ value, words }) =>
      words ? [`${value} = ${words}`] : [],
    )
    fields.push({
      name,
      notes: [type, isRequired ? labels.required : "", ...notes].filter(Boolean),
      description: [asText(field["description"]) || asText(field["title"]), ...meanings]
        .filter(Boolean)
        .join("\n\n"),
    })
    visit(property, name, within, [])
  }
}
