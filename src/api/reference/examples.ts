import { isObject } from "../../base/names.ts"
import { exampleTime, values } from "./example-values.ts"
import { resourceName } from "./sentences.ts"

type Schema = Record<string, unknown>
type Schemas = Record<string, object>

/** Where an example is made: `name` is that of the schema, `path` the field's place in it. */
interface Place {
  schemas: Schemas
  name: string
  path: string
  isBrief: boolean
}

/** Example request body: the required fields, and the fields with an example value. */
export function exampleBody(schema: Schema, schemas: Schemas): unknown {
  return exampleValue(schema, { schemas, name: "", path: "", isBrief: true })
}

export function exampleAnswer(schema: Schema, schemas: Schemas): unknown {
  return exampleValue(schema, { schemas, name: "", path: "", isBrief: false })
}

function exampleValue(schema: Schema, place: Place): unknown {
  const { schemas, isBrief } = place
  const reference = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined
  if (reference !== undefined)
    return exampleValue((schemas[reference] ?? {}) as Schema, { ...place, name: reference, path: "" })
  const example = knownValue(schema, place)
  if (example) return example.value
  const { properties, required = [], items, anyOf, enum: words, const: only, type, format } = schema
  const { default: usual = only } = schema
  if (usual !== undefined) return usual
  if (Array.isArray(words)) return words[0]
  if (properties) {
    const fields = Object.entries(properties as Record<string, Schema>).flatMap(([field, each]) => {
      const within = { ...place, path: place.path === "" ? field : `${place.path}.${field}` }
      const isRequired = (required as string[]).includes(field)
      const own = knownValue(each, within)
      if (own && own.value === undefined) return []
      return isRequired || own || !isBrief ? [[field, exampleValue(each, within)]] : []
    })
    return Object.fromEntries(fields)
  }
  if (Array.isArray(anyOf)) return exampleValue(anyOf[0] as Schema, place)
  if (items) return [exampleValue(items as Schema, place)]
  if (format === "date-time") return exampleTime
  return plain[String(type)] ?? null
}

const plain: Record<string, unknown> = { string: "…", integer: 1, number: 1, boolean: true, object: {} }

function knownValue(schema: Schema, { schemas, name, path }: Place): { value: unknown } | undefined {
  if (path === "") return undefined
  const names = [name, name.replace(/^(?:New|Made|Invited)(?=[A-Z])/, ""), resourceName(name)]
  const keys = [...names.map((each) => `${each}.${path}`), path.split(".").at(-1) as string]
  const key = keys.find((each) => Object.hasOwn(values, each) && fits(values[each], schema, schemas))
  return key === undefined ? undefined : { value: values[key] }
}

/** Whether a value is of the kind that a schema tells: the same name means different things in different records. */
function fits(value: unknown, schema: Schema, schemas: Schemas): boolean {
  if (value === undefined) return true
  const reference = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined
  if (reference !== undefined) return fits(value, (schemas[reference] ?? {}) as Schema, schemas)
  const { anyOf, enum: words, type, format, items, required } = schema
  if (Array.isArray(words)) return words.includes(value)
  if (type === "array")
    return Array.isArray(value) && value.every((each) => fits(each, (items ?? {}) as Schema, schemas))
  if (Array.isArray(anyOf) && type === undefined)
    return anyOf.some((each) => fits(value, each as Schema, schemas))
  if (format === "date-time") return typeof value === "string" && value.includes("T")
  if (type === "object" && Array.isArray(required))
    return kinds["object"]?.(value) === true && required.every((name) => Object.hasOwn(value as object, name))
  return type === undefined || kinds[String(type)]?.(value) === true
}

const kinds: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  null: (value) => value === null,
}
