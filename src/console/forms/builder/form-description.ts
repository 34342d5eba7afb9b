import type { Project } from "../../../accounts/project.ts"
import { isoTime, localInstant, localTime } from "../../../base/clock.ts"
import { fold } from "../../../base/text.ts"
import { parseTime } from "../../../base/time.ts"
import { plainForm } from "../../../forms/definition/description.ts"
import {
  type Field,
  isReserved,
  maxFields,
  maxLabelLength,
  type Option,
} from "../../../forms/definition/field.ts"
import { hasPart, isFieldType } from "../../../forms/definition/field-types.ts"
import type { Form, FormDescription } from "../../../forms/definition/form.ts"
import { maxNotify } from "../../../forms/definition/notify.ts"
import { type FileKind, fileKinds } from "../../../forms/files/file-kind.ts"
import {
  type DescribedWhen,
  describedWhen,
  draftWhen,
  type RawField,
  tidied,
  withoutField,
  writeWhen,
} from "./conditions.ts"
import { type Change, changed, parseChange } from "./order.ts"
import { words } from "./words.fr.ts"

const fieldCount = "field_count"

/** Reads the builder as the body of `POST /api/v1/forms`: paths of errors are then names of its fields. */
export function bodyIn(values: URLSearchParams, timezone: string): Record<string, unknown> {
  const text = (name: string) => (values.get(name) ?? "").replace(/\r\n/g, "\n").trim()
  const whole = (name: string) => {
    const typed = text(name).replace(/\s/g, "")
    return typed === "" ? null : /^\d{1,15}$/.test(typed) ? Number(typed) : typed
  }
  // A time as the owner's clock shows it. Any other text stays as it was typed, and is refused.
  const time = (name: string) => {
    const atMs = localInstant(timezone, text(name))
    return atMs === undefined ? text(name) || null : isoTime(atMs)
  }
  const consentText = text("consent.text")
  return {
    name: text("name"),
    fields: fieldsIn(values),
    // A checked box without the text or the address it needs must be refused by validation, not dropped.
    consent:
      consentText === "" && !values.has("consent.confirmation")
        ? null
        : { text: consentText, confirmation: values.has("consent.confirmation") },
    redirect_url: text("redirect_url") || null,
    retention_days: whole("retention_days"),
    opens_at: time("opens_at"),
    closes_at: time("closes_at"),
    max_responses: whole("max_responses"),
    // One too many is refused as a hundred thousand are.
    notify: linesIn(text("notify"), maxNotify + 1),
    notify_contents: values.has("notify_contents"),
    proof_of_work: values.has("proof_of_work"),
    hosted: values.has("hosted"),
    prefill: values.has("prefill"),
    receipt: values.has("receipt"),
    button: text("button") || null,
    thanks: text("thanks") || null,
  }
}

/** The builder's values for an existing form, or for a template. */
export function builderValues(form: FormDescription, timezone: string): URLSearchParams {
  const local = (atMs: number | null) => (atMs === null ? "" : localTime(timezone, atMs))
  const values = new URLSearchParams({
    name: form.name,
    "consent.text": form.consent?.text ?? "",
    redirect_url: form.redirectUrl ?? "",
    retention_days: form.retentionDays === null ? "" : String(form.retentionDays),
    opens_at: local(form.opensAt),
    closes_at: local(form.closesAt),
    max_responses: form.maxResponses === null ? "" : String(form.maxResponses),
    notify: form.notify.map(({ to }) => to).join("\n"),
    button: form.button ?? "",
    thanks: form.thanks ?? "",
  })
  const flags = {
    "consent.confirmation": form.consent?.confirmation,
    notify_contents: form.notifyContents,
    proof_of_work: form.proofOfWork,
    hosted: form.hosted,
    prefill: form.prefill,
    receipt: form.receipt,
  }
  for (const [name, isSet] of Object.entries(flags)) if (isSet) values.set(name, "on")
  writeFields(values, form.fields)
  return values
}

/** The form for the preview: what is not valid yet is left out, or gets a name of its own. */
export function draftForm(
  values: URLSearchParams,
  { id: projectId, name: siteName, site }: Pick<Project, "id" | "name" | "site">,
  timezone: string,
): Form {
  const body = bodyIn(values, timezone) as ReturnType<typeof bodyIn> & { fields: DescribedField[] }
  const text = (name: string) => (typeof body[name] === "string" ? (body[name] as string) : null)
  const consentText = values.get("consent.text")?.trim()
  const places = new Map(body.fields.map(({ name }, place) => [name, place]))
  return {
    ...plainForm,
    site: { name: siteName, url: site },
    id: "",
    publicId: "preview",
    projectId,
    workspaceId: "",
    name: text("name") || words.untitled,
    fields: body.fields.slice(0, maxFields).map(({ min, max, files, megabytes, when, ...field }, place) => ({
      ...field,
      ...draftWhen(when, places, place),
      ...(typeof files === "number" && { files }),
      ...(typeof megabytes === "number" && { megabytes }),
      ...(typeof min === "number" && { min }),
      ...(typeof max === "number" && { max }),
      name: `field${place}`,
      label: field.label || words.unlabelled,
      type: isFieldType(field.type) ? field.type : "text",
      options: field.options ?? [],
    })),
    consent: consentText ? { text: consentText, confirmation: false } : null,
    redirectUrl: text("redirect_url"),
    button: text("button"),
    thanks: text("thanks"),
    notify: linesIn(values.get("notify") ?? "", maxNotify).map((to) => ({ to, confirmedAt: null })),
    opensAt: parseTime(text("opens_at") ?? "", timezone) ?? null,
    closesAt: parseTime(text("closes_at") ?? "", timezone, { isEnd: true }) ?? null,
    createdAt: 0,
  }
}

export interface Rearranged {
  values: URLSearchParams
  /** Index of the field to look at; undefined when the list is as it was. */
  place?: number
  /** Announcement for those who cannot see the change. */
  status?: string
  /** The field gets a condition, to be filled in. */
  asks?: boolean
}

/** Applies the builder button named by `intent`. Undefined means save. */
export function rearrange(values: URLSearchParams): Rearranged | undefined {
  const intent = values.get("intent") ?? ""
  const others = othersThanFields(values)
  const fields = rawFields(values)
  if (intent === "preview") return { values: withFields(others, fields) }
  const change = parseChange(intent)
  if (!change) return undefined
  const added = { type: change.verb === "add" ? change.type : "text" }
  const copy = ({ name: _, key: __, label = "", ...rest }: RawField): RawField => ({
    ...rest,
    label: label && words.copyOf({ label }),
  })
  const { items, place } = changed<RawField>(fields, change, { added, copy })
  const removed = change.verb === "remove" ? fields[change.at] : undefined
  const remaining = removed
    ? withoutField(items, removed, fieldsIn(values)[fields.indexOf(removed)]?.name ?? "")
    : items
  return {
    values: withFields(others, remaining),
    place,
    status: changeStatus(change, place),
    asks: change.verb === "condition",
  }
}

/** The values of the builder as they are shown: without what stands between its conditions. */
export function tidiedValues(values: URLSearchParams): URLSearchParams {
  return withFields(othersThanFields(values), rawFields(values))
}

function othersThanFields(values: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...values].filter(([name]) => !/^fields\.|^intent$/.test(name) && name !== fieldCount),
  )
}

function changeStatus(change: Change, place: number): string {
  if (change.verb === "remove") return words.removed({ number: change.at + 1 })
  if (change.verb === "condition" || change.verb === "values")
    return words.conditionAdded({ number: place + 1 })
  if (change.verb === "add" || change.verb === "duplicate") return words.added({ number: place + 1 })
  return words.moved({ from: change.at + 1, to: place + 1 })
}

export function countFields(values: URLSearchParams): number {
  const count = Number(values.get(fieldCount))
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), maxFields + 1) : 0
}

const fieldPath =
  /^fields\.(\d{1,3})\.(key|name|label|type|required|options|help|placeholder|min|max|integer|text|accept_[a-z]+|files|megabytes|when\.match|when\.conditions\.\d\.(?:field|offered|test|values(?:\.\d{1,3})?))$/

export function rawFields(values: URLSearchParams): RawField[] {
  const fields: RawField[] = Array.from({ length: countFields(values) }, () => ({}))
  for (const [path, value] of values) {
    const [, index, name = ""] = fieldPath.exec(path) ?? []
    const field = index === undefined ? undefined : fields[Number(index)]
    if (!field) continue
    // Each box of a list of choices is a line of what a text would be.
    const list = /^(.+\.values)\.\d+$/.exec(name)?.[1]
    if (list) field[list] = field[list] ? `${field[list]}\n${value}` : value
    else field[name] = value
  }
  return tidied(fields)
}

function withFields(others: URLSearchParams, fields: readonly RawField[]): URLSearchParams {
  const values = new URLSearchParams(others)
  for (const [index, field] of fields.entries())
    for (const [name, value] of Object.entries(field)) values.set(`fields.${index}.${name}`, value)
  values.set(fieldCount, String(fields.length))
  return values
}

interface DescribedField {
  label: string
  name: string
  type: string
  required: boolean
  options?: Option[]
  help?: string
  placeholder?: string
  /** A text that is no number stays one, to be refused. */
  min?: number | string
  max?: number | string
  integer?: true
  accept?: FileKind[]
  files?: number | string
  megabytes?: number | string
  when?: DescribedWhen
}

/** Only what a type has is taken: texts typed for another type stay behind. */
function fieldsIn(values: URLSearchParams): DescribedField[] {
  const raw = rawFields(values)
  const used = new Set(raw.map(({ name = "" }) => name.trim()))
  const described = raw.map((field) => describedField(field, used))
  const named = new Map(described.map((field, place) => [raw[place]?.["key"] ?? "", field]))
  return described.map((field, place) => {
    const when = describedWhen(raw[place] ?? {}, named)
    return when ? { ...field, when } : field
  })
}

function describedField(field: RawField, used: Set<string>): DescribedField {
  const { label = "", name = "", type = "text", required, options = "" } = field
  if (hasPart(type, "text"))
    return {
      label: (field["text"] ?? "").replace(/\r\n/g, "\n").trim(),
      name: name.trim() || unusedName("texte", used),
      type,
      required: false,
    }
  const text = (part: "help" | "placeholder") => (hasPart(type, part) ? (field[part] ?? "").trim() : "")
  const [help, placeholder] = [text("help"), text("placeholder")]
  return {
    label: label.trim(),
    name: name.trim() || unusedName(variableName(label), used),
    type,
    required: required !== undefined,
    ...(hasPart(type, "options") && { options: optionsIn(options) }),
    ...(help && { help }),
    ...(placeholder && { placeholder }),
    ...(hasPart(type, "bounds") && { ...boundIn("min", field), ...boundIn("max", field) }),
    ...(hasPart(type, "bounds") && field["integer"] !== undefined && { integer: true }),
    ...(hasPart(type, "files") && filesIn(field)),
  }
}

function filesIn(field: Record<string, string>): Pick<DescribedField, "accept" | "files" | "megabytes"> {
  const accept = fileKinds.filter((kind) => field[`accept_${kind}`] !== undefined)
  return {
    ...(accept.length > 0 && { accept }),
    ...boundIn("files", field),
    ...boundIn("megabytes", field),
  }
}

/** A decimal comma is one too. */
function boundIn(name: "min" | "max" | "files" | "megabytes", field: Record<string, string>) {
  const text = (field[name] ?? "").replace(/\s/g, "").replace(/^[−–]/, "-").replace(",", ".")
  if (text === "") return {}
  return { [name]: /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text }
}

/**
 * Derives a variable name from a label: `Votre prénom ?` becomes `votre_prenom`. A label without letters
 * gives `champ`, and the reserved name `page` gives `champ_page`. A label that is too long will be refused.
 */
function variableName(label: string): string {
  const words = fold(label.slice(0, maxLabelLength))
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|(?<!_)_+$/g, "")
  const name = words === "" ? "champ" : isReserved(words) ? `champ_${words}` : words
  return name.slice(0, 64)
}

/** Two fields with one label get two names, since neither was chosen. */
function unusedName(name: string, used: Set<string>): string {
  let unused = name
  for (let number = 2; used.has(unused); number++) unused = `${name.slice(0, 60)}_${number}`
  used.add(unused)
  return unused
}

/** The lines that are not blank, without the blanks around them; `most`: the rest is not looked at. */
function linesIn(text: string, most = Number.POSITIVE_INFINITY): string[] {
  return [...text.matchAll(/\S[^\n]*/g).take(most)].map(([line]) => line.trimEnd())
}

export function optionsIn(text: string): Option[] {
  return linesIn(text).map((line) => {
    const [start = "", ...label] = line.split(" = ")
    const value = unescapeEquals(start.trim())
    return { value, label: label.join(" = ").trim() || value }
  })
}

/** Escapes ` = ` in an option's value: an unescaped one ends the value in the line `value = label`. */
function escapeEquals(value: string): string {
  return value.replaceAll(/(?<= )(\\*)=(?= |$)/g, "$1\\=")
}

function unescapeEquals(value: string): string {
  return value.replaceAll(/(?<= )(\\*)\\=(?= |$)/g, "$1=")
}

function writeFields(values: URLSearchParams, fields: readonly Field[]): void {
  values.set(fieldCount, String(fields.length))
  for (const [index, field] of fields.entries()) {
    const start = `fields.${index}.`
    for (const name of ["name", "label", "type", "help", "placeholder"] as const)
      values.set(`${start}${name}`, field[name] ?? "")
    if (hasPart(field.type, "text")) {
      values.set(`${start}text`, field.label)
      values.set(`${start}label`, "")
    }
    if (field.integer) values.set(`${start}integer`, "on")
    if (field.when) writeWhen((part, value) => values.set(`${start}${part}`, value), field.when)
    for (const kind of field.accept ?? []) values.set(`${start}accept_${kind}`, "on")
    for (const name of ["min", "max", "files", "megabytes"] as const)
      values.set(
        `${start}${name}`,
        field[name]?.toLocaleString("fr", { useGrouping: false, maximumFractionDigits: 20 }) ?? "",
      )
    if (field.required) values.set(`${start}required`, "on")
    const lines = field.options.map(({ value, label }) =>
      value === label ? escapeEquals(value) : `${escapeEquals(value)} = ${label}`,
    )
    values.set(`${start}options`, lines.join("\n"))
  }
}
