import type { TObject, TSchema } from "@sinclair/typebox"
import { withScheme } from "../../../base/text.ts"

/**
 * The fields of an operation that a form has, by the names and kinds of the operation's schema: a list is one box a
 * value or one line a value, an empty field is null where the schema allows it, and an address may lack its scheme.
 * A value that does not fit stays as it was typed, for the schema to refuse.
 */
export function inputIn({ properties }: TObject, values: URLSearchParams): Record<string, unknown> {
  const sent = Object.entries(properties).filter(([name]) => values.has(name))
  return Object.fromEntries(sent.map(([name, field]) => [name, valueIn(field, values.getAll(name))]))
}

function valueIn(field: TSchema, texts: string[]): unknown {
  const [text = ""] = texts
  if (field["anyOf"]) return text.trim() === "" ? null : valueIn(field["anyOf"][0], texts)
  switch (field["type"]) {
    case "array":
      return texts.flatMap(filledLines).map((line) => valueIn(field["items"], [line]))
    case "boolean":
      return !["", "off", "no"].includes(text)
    case "integer": {
      const digits = text.replace(/\s/g, "")
      return /^\d{1,15}$/.test(digits) ? Number(digits) : text
    }
    default:
      return field["pattern"]?.startsWith("^http") ? withScheme(text) : text
  }
}

/** The lines that are not blank, without the blanks around them. */
export function filledLines(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter(Boolean)
}
