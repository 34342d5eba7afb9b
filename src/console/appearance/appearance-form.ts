import { type Contact, maxSuggestions } from "../../accounts/widget/settings.ts"
import { tokens } from "../../style/tokens.ts"

/** The widget's own colour. Its dark theme has another one, so that choosing it is to choose none. */
export const usualColor = tokens["widget-accent"][0]

/** The values that have other names in the record. A ticked question takes a free place after the typed ones. */
export function changeIn(values: URLSearchParams) {
  const typed = Array.from({ length: maxSuggestions }, (_, index) => values.get(suggestionName(index)) ?? "")
  const color = values.get("color") ?? ""
  return {
    color: color.toLowerCase() === usualColor ? null : color,
    search: values.has("search"),
    state_site: values.has("state_site"),
    suggestions: [...typed, ...values.getAll("frequent")],
    ...contactIn(values.get("contact") ?? ""),
  }
}

export function suggestionName(index: number): string {
  return `suggestion_${index + 1}`
}

/** A form and its field as one choice: neither means anything without the other. */
export function contactValue({ formId, field }: Contact): string {
  return field === null ? formId : `${formId} ${field}`
}

function contactIn(value: string) {
  const [form = "", field = null] = value.split(" ")
  return { contact_form: form || null, contact_field: field }
}
