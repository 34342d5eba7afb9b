import { type Detail, detail } from "../../base/errors.ts"
import { isLongerThan } from "../../base/text.ts"

export const fieldTypes = [
  "text",
  "textarea",
  "email",
  "tel",
  "url",
  "number",
  "date",
  "select",
  "radio",
  "checkbox",
  "hidden",
] as const
export type FieldType = (typeof fieldTypes)[number]

export interface Field {
  /** The variable name: the key of `values`. */
  name: string
  label: string
  type: FieldType
  required: boolean
  /** Of a select or radio; empty for the other types. */
  options: Option[]
}

export interface Option {
  value: string
  label: string
}

export const maxFields = 100
export const maxOptions = 500
export const maxLabelLength = 500
export const maxOptionLength = 200

/**
 * Fields as somebody described them, or nothing when one is wrong: `problems` then holds a sentence for each
 * fault, by its path.
 */
export function checkedFields(wanted: unknown, problems: Record<string, Detail>): Field[] | undefined {
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > maxFields) {
    problems["fields"] = detail("forms.fieldCount", { max: maxFields })
    return undefined
  }
  const before = Object.keys(problems).length
  const taken = new Set<string>()
  const fields = wanted.map((field, index) => checkedField(field, `fields.${index}`, taken, problems))
  return Object.keys(problems).length === before ? (fields as Field[]) : undefined
}

/** The field whose value is the response's `email`: the first of that type. */
export function emailField(fields: readonly Field[]): Field | undefined {
  return fields.find((field) => field.type === "email")
}

function checkedField(
  wanted: unknown,
  path: string,
  taken: Set<string>,
  problems: Record<string, Detail>,
): Field | undefined {
  if (!isObject(wanted)) {
    problems[path] = detail("forms.fieldShape")
    return undefined
  }
  const { name, label, type, required = false, options } = wanted
  const nameProblem = faultOfName(name, taken)
  if (nameProblem) problems[`${path}.name`] = nameProblem
  if (typeof name === "string") taken.add(name)
  if (!isText(label, maxLabelLength))
    problems[`${path}.label`] = detail("forms.fieldLabel", { max: maxLabelLength })
  if (!isFieldType(type))
    problems[`${path}.type`] = detail("forms.fieldType", { types: fieldTypes.join(", ") })
  if (typeof required !== "boolean") problems[`${path}.required`] = detail("forms.trueOrFalse")
  const checked = isFieldType(type) ? checkedOptions(type, options, `${path}.options`, problems) : []
  return { name, label, type, required, options: checked } as Field
}

function faultOfName(name: unknown, taken: ReadonlySet<string>): Detail | undefined {
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(name)) return detail("forms.fieldName")
  if (isReserved(name)) return detail("forms.reservedName")
  return taken.has(name) ? detail("forms.takenName") : undefined
}

/** What a post says beside the fields. */
export function isReserved(name: string): boolean {
  return name === "page" || name === "consent" || name.startsWith("guichet_")
}

function checkedOptions(
  type: FieldType,
  options: unknown,
  path: string,
  problems: Record<string, Detail>,
): Option[] {
  if (type !== "select" && type !== "radio") {
    if (options !== undefined && !(Array.isArray(options) && options.length === 0))
      problems[path] = detail("forms.noOptions")
    return []
  }
  const right =
    Array.isArray(options) && options.length > 0 && options.length <= maxOptions && options.every(isOption)
  // As the console writes them, one a line: saving a form there changes no value that pages already send.
  const trimmed = (right ? (options as Option[]) : []).map(({ value, label }) => ({
    value: value.trim(),
    label: label.trim(),
  }))
  if (!right || new Set(trimmed.map(({ value }) => value)).size !== options.length) {
    problems[path] = detail("forms.options", { maxOptions, maxLength: maxOptionLength })
    return []
  }
  return trimmed
}

function isOption(option: unknown): option is Option {
  return (
    isObject(option) && isText(option["value"], maxOptionLength) && isText(option["label"], maxLabelLength)
  )
}

function isFieldType(type: unknown): type is FieldType {
  return fieldTypes.includes(type as FieldType)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A text that is not blank, without control characters, of at most `maxLength` code points. */
export function isText(value: unknown, maxLength: number): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value) &&
    !isLongerThan(value, maxLength)
  )
}
