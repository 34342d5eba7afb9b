import { fold } from "../../base/text.ts"
import {
  type Field,
  type FieldType,
  fieldTypes,
  isReserved,
  maxFields,
  type Option,
} from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"

const fieldCount = "field_count"

/**
 * Reads the builder as the body of `POST /api/v1/forms`. The paths of validation errors are then the names of
 * the builder's fields.
 */
export function bodyIn(values: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => (values.get(name) ?? "").trim()
  const days = text("retention_days")
  const consentText = text("consent.text").replace(/\r\n/g, "\n")
  return {
    name: text("name"),
    fields: fieldsIn(values),
    // A checked box without the text or the address it needs must be refused by validation, not dropped.
    consent:
      consentText === "" && !values.has("consent.confirmation")
        ? null
        : { text: consentText, confirmation: values.has("consent.confirmation") },
    redirect_url: text("redirect_url") || null,
    retention_days: days === "" ? null : /^\d+$/.test(days) ? Number(days) : days,
    owner_mail:
      text("owner_mail.to") === "" && !values.has("owner_mail.contents")
        ? null
        : { to: text("owner_mail.to"), contents: values.has("owner_mail.contents") },
  }
}

/** The builder's values for an existing form. */
export function valuesOf(form: Form): URLSearchParams {
  const values = new URLSearchParams({
    name: form.name,
    "consent.text": form.consent?.text ?? "",
    redirect_url: form.redirectUrl ?? "",
    retention_days: form.retentionDays === null ? "" : String(form.retentionDays),
    "owner_mail.to": form.ownerMail?.to ?? "",
  })
  if (form.consent?.confirmation) values.set("consent.confirmation", "on")
  if (form.ownerMail?.contents) values.set("owner_mail.contents", "on")
  writeFields(values, form.fields)
  return values
}

/** The builder's initial values for a new form: the three fields of a contact form. */
export function suggestedValues(): URLSearchParams {
  const values = new URLSearchParams({ name: "Contact" })
  const field = (name: string, label: string, type: FieldType): Field => ({
    name,
    label,
    type,
    required: true,
    options: [],
  })
  writeFields(values, [
    field("nom", "Votre nom", "text"),
    field("courriel", "Votre adresse e-mail", "email"),
    field("message", "Votre message", "textarea"),
  ])
  return values
}

/** Applies the builder button named by `intent` (`add`, `remove.2`, `up.2`). Undefined means save. */
export function rearrange(values: URLSearchParams): URLSearchParams | undefined {
  const [verb, position] = (values.get("intent") ?? "").split(".")
  const fields = rawFields(values)
  const at = Number(position)
  if (verb === "add") fields.push({ type: "text" })
  else if (verb === "remove") fields.splice(at, 1)
  else if (verb === "up" && at > 0) fields.splice(at - 1, 0, ...fields.splice(at, 1))
  else return undefined
  const changed = new URLSearchParams(
    [...values].filter(([name]) => !/^fields\.|^intent$/.test(name) && name !== fieldCount),
  )
  for (const [index, field] of fields.entries())
    for (const [name, value] of Object.entries(field)) changed.set(`fields.${index}.${name}`, value)
  changed.set(fieldCount, String(fields.length))
  return changed
}

export function countFields(values: URLSearchParams): number {
  const count = Number(values.get(fieldCount))
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), maxFields + 1) : 0
}

function rawFields(values: URLSearchParams): Record<string, string>[] {
  const fields: Record<string, string>[] = Array.from({ length: countFields(values) }, () => ({}))
  for (const [path, value] of values) {
    const [, index, name = ""] = /^fields\.(\d{1,3})\.(name|label|type|required|options)$/.exec(path) ?? []
    const field = index === undefined ? undefined : fields[Number(index)]
    if (field) field[name] = value
  }
  return fields
}

function fieldsIn(values: URLSearchParams): object[] {
  return rawFields(values).map(({ label = "", name = "", type = "text", required, options = "" }) => ({
    label: label.trim(),
    name: name.trim() || variableOf(label),
    type: fieldTypes.find((known) => known === type) ?? type,
    required: required !== undefined,
    ...((type === "select" || type === "radio") && { options: optionsIn(options) }),
  }))
}

/**
 * Derives a variable name from a label: `Votre prénom ?` becomes `votre_prenom`. A label without letters
 * gives `champ`, and the reserved name `page` gives `champ_page`.
 */
function variableOf(label: string): string {
  const words = fold(label)
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|(?<!_)_+$/g, "")
  const name = words === "" ? "champ" : isReserved(words) ? `champ_${words}` : words
  return name.slice(0, 64)
}

function optionsIn(text: string): Option[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [start = "", ...label] = line.split(" = ")
      const value = unescapeEquals(start.trim())
      return { value, label: label.join(" = ").trim() || value }
    })
}

/**
 * Escapes ` = ` inside an option's value with a backslash. Each option is a line `value = label`, where an
 * unescaped ` = ` ends the value.
 */
function escapeEquals(value: string): string {
  return value.replaceAll(/(?<= )(\\*)=(?= |$)/g, "$1\\=")
}

function unescapeEquals(value: string): string {
  return value.replaceAll(/(?<= )(\\*)\\=(?= |$)/g, "$1=")
}

function writeFields(values: URLSearchParams, fields: readonly Field[]): void {
  values.set(fieldCount, String(fields.length))
  for (const [index, { name, label, type, required, options }] of fields.entries()) {
    const start = `fields.${index}.`
    values.set(`${start}name`, name)
    values.set(`${start}label`, label)
    values.set(`${start}type`, type)
    if (required) values.set(`${start}required`, "on")
    const lines = options.map(({ value, label }) =>
      value === label ? escapeEquals(value) : `${escapeEquals(value)} = ${label}`,
    )
    values.set(`${start}options`, lines.join("\n"))
  }
}
