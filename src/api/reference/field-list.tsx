import type { Documented } from "../kit/openapi.ts"
import { Text } from "./text.tsx"
import { words } from "./words.fr.ts"

export type Schema = Record<string, unknown>

export interface ShownField {
  name: string
  schema: Schema
  isRequired: boolean
  /** 1 for a field of a field. */
  depth: number
}

/** The fields of a body, those within them after them, as deep as `deepest`. */
export function listFields(schema: Schema, document: Documented, deepest = 2, depth = 0): ShownField[] {
  const whole = resolved(schema, document)
  const properties = ownFields(whole, document)
  return properties.flatMap(({ name, schema, isRequired }) => [
    { name, schema, isRequired, depth },
    // Deeper objects are listed by their example alone.
    ...(depth < deepest ? listFields(schema, document, deepest, depth + 1) : []),
  ])
}

function ownFields(schema: Schema, document: Documented): Omit<ShownField, "depth">[] {
  const { properties, required = [], items, anyOf } = schema
  if (properties)
    return Object.entries(properties as Record<string, Schema>).map(([name, each]) => ({
      name,
      schema: each,
      isRequired: (required as string[]).includes(name),
    }))
  if (items) return ownFields(resolved(items as Schema, document), document)
  const byName = new Map<string, Omit<ShownField, "depth">>()
  for (const each of (anyOf ?? []) as Schema[])
    for (const field of ownFields(resolved(each, document), document)) {
      const same = byName.get(field.name)
      byName.set(field.name, same ? { ...same, schema: mergedSchema(same.schema, field.schema) } : field)
    }
  return [...byName.values()]
}

/** A field that two shapes of a body have: the words of both are allowed. */
function mergedSchema(one: Schema, other: Schema): Schema {
  if (!Array.isArray(one["enum"]) || !Array.isArray(other["enum"])) return one
  return { ...one, enum: [...new Set([...one["enum"], ...other["enum"]])] }
}

/** A reference is replaced by what it names; a description beside it stays. */
function resolved(schema: Schema, document: Documented): Schema {
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined
  return name === undefined ? schema : { ...document.components.schemas[name], ...schema }
}

export function Fields({ title, fields }: { title?: string; fields: readonly ShownField[] }) {
  if (fields.length === 0) return null
  return (
    <>
      {title !== undefined && <h3>{title}</h3>}
      <dl>
        {fields.map(({ name, schema, isRequired, depth }, place) => (
          <div key={`${place} ${name}`} class={depth > 0 ? `deep deep-${depth}` : undefined}>
            <dt>
              <code>{name}</code> <span class="hint">{kindText(schema)}</span>
              {isRequired && <span class="required">{words.required}</span>}
            </dt>
            <dd>
              <Text text={String(schema["description"] ?? "")} /> <Rule schema={schema} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function kindText(schema: Schema): string {
  const { $ref, type, items, anyOf } = schema
  if (Array.isArray(anyOf)) return [...new Set((anyOf as Schema[]).map(kindText))].join(" | ")
  if (typeof $ref === "string") return words.kinds.object
  if (type === "array") return words.listOf(kindText((items ?? {}) as Schema))
  return words.kinds[String(type) as keyof typeof words.kinds] ?? ""
}

function Rule({ schema }: { schema: Schema }) {
  const { enum: values, minLength, maxLength, minimum, maximum, maxItems } = schema
  if (Array.isArray(values))
    return (
      <span class="hint">
        {values.map((word, place) => (
          <>
            {place > 0 && ", "}
            <code>{String(word)}</code>
          </>
        ))}
      </span>
    )
  const rules = [
    maxLength !== undefined && words.characters(Number(minLength ?? 0), Number(maxLength)),
    maximum !== undefined && words.between(Number(minimum ?? 0), Number(maximum)),
    maxItems !== undefined && Number(maxItems) > 0 && words.atMost(Number(maxItems)),
  ].filter((rule) => rule !== false)
  return rules.length > 0 ? <span class="hint">({rules.join(" ; ")})</span> : null
}
