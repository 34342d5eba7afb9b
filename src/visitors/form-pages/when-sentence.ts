import type { Condition, Field } from "../../forms/definition/field.ts"
import { fieldRules } from "../../forms/definition/field-types.ts"
import { words } from "../words.fr.ts"

/** When a field is to be filled in, for visitors whose browser runs no script. */
export function whenSentence({ when }: Field, fields: readonly Field[]): string | undefined {
  if (!when) return undefined
  const parts = when.conditions.flatMap((condition) => {
    const subject = fields.find(({ name }) => name === condition.field)
    return subject ? [conditionSentence(condition, subject)] : []
  })
  return words.onlyIf(parts, when.match)
}

function conditionSentence({ test, values }: Condition, { type, label, options }: Field): string {
  if (fieldRules[type].value === "box") return words.ifChecked({ label, isChecked: test !== "is_not" })
  if (test === "filled") return words.ifFilled({ label })
  const named = new Set(values)
  const chosen = options.filter(({ value }) => named.has(value)).map(({ label }) => label)
  const labels = options.length === 0 ? values : chosen
  return words.ifValue({ label, labels, isOne: test === "is" })
}
