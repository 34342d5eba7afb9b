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
  /** Choices of a select or radio; empty for the other types. */
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
 * Checks the fields of a form description. Returns undefined when one is wrong; `problems` then holds a
 * problem for each fault, keyed by path.
 */
export function checkedFields(input: unknown, problems: Record<string, Detail>): Field[] | undefined {
  if (!Array.isArray(input) || input.length === 0 || input.length > maxFields) {
    problems["fields"] = detail("forms.fieldCount", { max: maxFields })
    return undefined
  }
  const problemsBefore = Object.keys(problems).length
  const usedNames = new Set<string>()
  const fields = input.map((field, index) => checkedField(field, `fields.${index}`, usedNames, problems))
  return Object.keys(problems).length === problemsBefore ? (fields as Field[]) : undefined
}

/** The field whose value is the response's `email`: the first of that type. */
export function emailField(fields: readonly Field[]): Field | undefined {
  return fields.find((field) => field.type === "email")
}

function checkedField(
  input: unknown,
  path: string,
  usedNames: Set<string>,
  problems: Record<string, Detail>,
): Field | undefined {
  if (!isObject(input)) {
    problems[path] = detail("forms.fieldShape")
    return undefined
  }
  const { name, label, type, required = false, options } = input
  const nameProblem = checkName(name, usedNames)
  if (nameProblem) problems[`${path}.name`] = nameProblem
  if (typeof name === "string") usedNames.add(name)
  if (!isText(label, maxLabelLength))
    problems[`${path}.label`] = detail("forms.fieldLabel", { max: maxLabelLength })
  if (!isFieldType(type))
    problems[`${path}.type`] = detail("forms.fieldType", { types: fieldTypes.join(", ") })
  if (typeof required !== "boolean") problems[`${path}.required`] = detail("forms.trueOrFalse")
  const checked = isFieldType(type) ? checkedOptions(type, options, `${path}.options`, problems) : []
  return { name, label, type, required, options: checked } as Field
}

function checkName(name: unknown, usedNames: ReadonlySet<string>): Detail | undefined {
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(name)) return detail("forms.fieldName")
  if (isReserved(name)) return detail("forms.reservedName")
  return usedNames.has(name) ? detail("forms.takenName") : undefined
}

/** Whether a form post uses this name for something other than a field. */
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
  const isValid =
    Array.isArray(options) && options.length > 0 && options.length <= maxOptions && options.every(isOption)
  // The console writes options one a line, without surrounding blanks. They are trimmed here too, so that
  // saving a form in the console changes no value that pages already send.
  const trimmed = (isValid ? (options as Option[]) : []).map(({ value, label }) => ({
    value: value.trim(),
    label: label.trim(),
  }))
  if (!isValid || new Set(trimmed.map(({ value }) => value)).size !== options.length) {
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

/**
 * Whether the value is a text of at most `maxLength` code points, not blank and without control characters.
 */
export function isText(value: unknown, maxLength: number): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value) &&
    !isLongerThan(value, maxLength)
  )
}
