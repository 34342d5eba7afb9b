import type { Language } from "../../accounts/project.ts"
import { fieldRules } from "../definition/field-types.ts"
import type { Form } from "../definition/form.ts"
import { parseValue } from "./value.ts"

const unfillable = new Set(["hidden", "checkbox"])

/** A longer query fills in nothing. */
const maxQueryLength = 8192

/**
 * The values that the address of a form's own page fills in, by variable names: `?prenom=Camille`. Each is
 * read as if it had been typed, and one that would be refused is left out. Fields that the visitor does not see and
 * files are never filled in, nor is the consent, or a box alone, which may ask for one: a link agrees to nothing.
 */
export function prefilledValues(
  { prefill, fields }: Form,
  query: string,
  language: Language,
): Record<string, string> {
  if (!prefill || query.length > maxQueryLength) return {}
  const given = new URLSearchParams(query)
  const entries = fields.flatMap((field) => {
    const kind = fieldRules[field.type].value
    if (unfillable.has(field.type) || kind === "files" || kind === "none" || !given.has(field.name)) return []
    const { value, problem } = parseValue(field, given.getAll(field.name), language)
    return value === "" || problem ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}
