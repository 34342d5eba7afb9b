import { oneLine } from "../../base/text.ts"
import { type Field, shownValue } from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"
import type { FormResponse } from "../../forms/responses/form-response.ts"
import { fieldFaces } from "../../wording/field-faces.fr.ts"

export interface Summary {
  name: string
  email: string | null
  line: string
}

const nameWords = /^(nom|name|prenom|votre_nom|nom_complet|nom_et_prenom|full_?name|first_?name)/
const maxLineLength = 120

/** Finds the person and the first line among the values, by the types and the names of the fields. */
export function responseSummary(form: Form | undefined, { values, email }: FormResponse): Summary {
  const fields = (form?.fields ?? []).filter(
    ({ type }) => !["hidden", "box", "text"].includes(fieldFaces[type].control),
  )
  const filled = fields.filter(({ name }) => values[name]?.trim())
  const named = filled.filter(({ name }) => nameWords.test(name))
  const person = named.length > 0 ? named : filled.filter(({ type }) => type === "text").slice(0, 1)
  const content = filled
    .filter((field) => !person.includes(field) && summaryRank(field))
    .toSorted((one, other) => summaryRank(one) - summaryRank(other))[0]
  const rest = Object.values(values).find((value) => value.trim() && value !== email) ?? ""
  const isKnown = form !== undefined && filled.length > 0
  return {
    name: person.map(({ name }) => values[name]?.trim()).join(" "),
    email,
    line: firstLine(content ? valueLine(content, values[content.name] ?? "") : isKnown ? "" : rest),
  }
}

/** The lowest rank says most about a message; 0 for a field that says nothing about it. */
function summaryRank({ type }: Field): number {
  return fieldFaces[type].summary?.rank ?? 0
}

function valueLine(field: Field, value: string): string {
  const valueText = shownValue(field, value)
  return fieldFaces[field.type].summary?.isLabelled ? `${field.label}\u00a0: ${valueText}` : valueText
}

/** The beginning, in one line: many a message begins with a greeting and a line break. */
function firstLine(text: string): string {
  return oneLine(text.slice(0, 2 * maxLineLength), maxLineLength)
}
