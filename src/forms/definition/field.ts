import { type Detail, detail } from "../../base/errors.ts"
import { isLine } from "../../base/text.ts"
import { type FieldType, fieldRules, fieldTypes, hasPart, isFieldType } from "./field-types.ts"

export interface Field {
  /** The variable name: the key of `values`. */
  name: string
  label: string
  type: FieldType
  required: boolean
  /** Empty for a type without choices. */
  options: Option[]
  /** A sentence shown with the label. */
  help?: string
  /** An example shown while nothing is typed, or the first line of a select. */
  placeholder?: string
  /** The least and the greatest value, both allowed, of a type with bounds. */
  min?: number
  max?: number
}

export interface Option {
  value: string
  label: string
}

export const maxFields = 100
export const maxOptions = 500
export const maxLabelLength = 500
export const maxOptionLength = 200
export const maxHelpLength = 500
export const maxPlaceholderLength = 200

/** Between the values of a field of which several are chosen, which are kept as one string. */
const choiceSeparator = ", "

export function joinChoices(values: readonly string[]): string {
  return values.join(choiceSeparator)
}

export function splitChoices(value: string): string[] {
  return value
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)
}

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

/** A stored value as people read it: the labels of the options instead of their values. */
export function shownValue({ type, options }: Pick<Field, "type" | "options">, value: string): string {
  const labelOf = (one: string) => options.find((option) => option.value === one)?.label ?? one
  return fieldRules[type].value === "options" ? joinChoices(splitChoices(value).map(labelOf)) : labelOf(value)
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
  const { name, label, type, required = false, options, help, placeholder, min, max } = input
  const nameProblem = checkName(name, usedNames)
  if (nameProblem) problems[`${path}.name`] = nameProblem
  if (typeof name === "string") usedNames.add(name)
  if (!isText(label, maxLabelLength))
    problems[`${path}.label`] = detail("forms.fieldLabel", { max: maxLabelLength })
  if (!isFieldType(type))
    problems[`${path}.type`] = detail("forms.fieldType", { types: fieldTypes.join(", ") })
  if (typeof required !== "boolean") problems[`${path}.required`] = detail("forms.trueOrFalse")
  const checked = isFieldType(type) ? checkedOptions(type, options, `${path}.options`, problems) : []
  return {
    name,
    label,
    type,
    required,
    options: checked,
    ...optionalText("help", help, maxHelpLength, path, problems),
    ...optionalText("placeholder", placeholder, maxPlaceholderLength, path, problems),
    ...checkedBounds(type, { min, max }, path, problems),
  } as Field
}

/** An absent, null or empty text is left out of the stored field. */
function optionalText(
  name: "help" | "placeholder",
  value: unknown,
  max: number,
  path: string,
  problems: Record<string, Detail>,
): Pick<Field, "help" | "placeholder"> {
  if (value === undefined || value === null || value === "") return {}
  if (isText(value, max)) return { [name]: value.trim() }
  problems[`${path}.${name}`] = detail("forms.shortText", { max })
  return {}
}

/** Absent or null bounds are left out of the stored field. */
function checkedBounds(
  type: unknown,
  bounds: Record<"min" | "max", unknown>,
  path: string,
  problems: Record<string, Detail>,
): Pick<Field, "min" | "max"> {
  const given = Object.entries(bounds).filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of given) {
    if (!hasPart(String(type), "bounds")) problems[`${path}.${name}`] = detail("forms.noBounds")
    else if (typeof value !== "number" || !Number.isFinite(value))
      problems[`${path}.${name}`] = detail("forms.bound")
  }
  const { min, max } = bounds
  if (typeof min === "number" && typeof max === "number" && min > max)
    problems[`${path}.max`] ??= detail("forms.boundsReversed")
  return Object.fromEntries(given)
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
  if (!hasPart(type, "options")) {
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
  if (fieldRules[type].value === "options" && trimmed.some(({ value }) => value.includes(","))) {
    problems[path] = detail("forms.commaInOption")
    return []
  }
  return trimmed
}

function isOption(option: unknown): option is Option {
  return (
    isObject(option) && isText(option["value"], maxOptionLength) && isText(option["label"], maxLabelLength)
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Whether the value is a text of at most `maxLength` code points, not blank and without control characters.
 */
export function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.isWellFormed() && isLine(value, maxLength)
}
