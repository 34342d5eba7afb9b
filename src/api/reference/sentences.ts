import { everywhere, fields, parameters } from "./fields.fr.ts"

type Schema = Record<string, unknown>

/** The sentence of a field; `path` is `consent.text`. Undefined when none is written. */
export function fieldSentence(schema: string, path: string): string | undefined {
  return fields[schema]?.[path] ?? fields[resourceName(schema)]?.[path] ?? wherever(path)
}

/** `a.sources.title` is looked for as itself, then as `sources.title`, then as `title`. */
function wherever(path: string): string | undefined {
  const [, rest] = path.split(/\.(.*)/s)
  return everywhere[path] ?? (rest === undefined ? undefined : wherever(rest))
}

export function parameterSentence(name: string): string | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined
}

/** `NewForm`, `FormChange` → `Form` */
export function resourceName(schema: string): string {
  return schema.replace(/^(?:New|Made|Invited)(?=[A-Z])/, "").replace(/(?:Change|WithPayload|Data)$/, "")
}

/** A copy of a JSON schema whose fields have their sentences. `name` is that of the named schema, or empty. */
export function withSentences(schema: unknown, name: string, path = ""): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withSentences(each, name, path))
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties"
        ? describedProperties(value as Record<string, Schema>, name, path)
        : withSentences(value, name, path),
    ]),
  )
}

function describedProperties(properties: Record<string, Schema>, name: string, path: string): object {
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const place = path === "" ? field : `${path}.${field}`
      const sentence = fieldSentence(name, place)
      const described = withSentences(schema, name, place) as Schema
      return [field, { ...described, ...(sentence !== undefined && { description: sentence }) }]
    }),
  )
}
