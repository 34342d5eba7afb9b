import type { FileKind } from "../files/file-kind.ts"
import { type FieldType, fieldRules } from "./field-types.ts"

export interface Field {
  /** The variable name: the key of `values`. */
  name: string
  label: string
  type: FieldType
  required: boolean
  /** Empty for a type without choices. */
  options: Option[]
  help?: string
  /** An example shown while nothing is typed, or the first line of a select. */
  placeholder?: string
  /** The least and the greatest value, both allowed, of a type with bounds. */
  min?: number
  max?: number
  /** For types with bounds: whole numbers only. */
  integer?: true
  /** For types with files: which kinds, how many, and how large each may be; see `fileBounds`. */
  accept?: FileKind[]
  files?: number
  megabytes?: number
  /** It is shown, and required, then alone. */
  when?: When
}

/** It is neither shown nor asked for where the visitor's other answers do not ask for it (`when.ts`). */
export interface When {
  match: "all" | "any"
  conditions: Condition[]
}

export interface Condition {
  field: string
  /** Where a field takes several options, one match is enough. */
  test: (typeof conditionTests)[number]
  /** Any of them; empty where any value will do. */
  values: string[]
}

export const conditionTests = ["is", "is_not", "filled"] as const

export interface Option {
  value: string
  label: string
}

export const maxFiles = 10
export const maxMegabytes = 20

/** The rules of a field for files, in force where it says nothing. Other kinds are for owners to open. */
export function fileBounds({ accept, files, megabytes }: Pick<Field, "accept" | "files" | "megabytes">) {
  return { accept: accept ?? usualKinds, files: files ?? 1, megabytes: megabytes ?? 10 }
}

const usualKinds: FileKind[] = ["pdf", "image", "document"]

/** Whether a form takes files, and so has to be sent in parts. */
export function takesFiles(fields: readonly Pick<Field, "type">[]): boolean {
  return fields.some(({ type }) => fieldRules[type].value === "files")
}

export const maxNameLength = 200
export const maxConsentLength = 5000
/** Longer than the retry schedule of webhooks: the last attempt still finds what it sends. */
export const minRetentionDays = 2
export const maxRetentionDays = 3650
export const maxButtonLength = 100
export const maxThanksLength = 2000
/** They are counted at each post. */
export const maxMaxResponses = 10_000
export const maxFields = 100
export const maxOptions = 500
export const maxLabelLength = 500
export const maxParagraphLength = 2000
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

/** A stored value as people read it: the labels of the options instead of their values. */
export function shownValue({ type, options }: Pick<Field, "type" | "options">, value: string): string {
  const labels = new Map(options.map((option) => [option.value, option.label]))
  const labelFor = (one: string) => labels.get(one) ?? one
  return fieldRules[type].value === "options"
    ? joinChoices(splitChoices(value).map(labelFor))
    : labelFor(value)
}

/** The field whose value is the response's `email`: the first of that type. */
export function emailField(fields: readonly Field[]): Field | undefined {
  return fields.find((field) => field.type === "email")
}

/** Whether a form post uses this name for something other than a field. */
export function isReserved(name: string): boolean {
  return name === "page" || name === "consent" || name.startsWith("guichet_")
}
