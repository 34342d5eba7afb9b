import { Type } from "@sinclair/typebox"
import { type Detail, detail } from "../../base/errors.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { oneOf, text } from "../../http/record/schemas.ts"
import { type Condition, conditionTests, type Field, maxOptionLength, splitChoices } from "./field.ts"
import { fieldRules, hasValue } from "./field-types.ts"

export const maxConditions = 5
export const maxConditionValues = 20

const values = Type.Array(text({ maxLength: maxOptionLength }), { maxItems: maxConditionValues })
const condition = Type.Object({
  field: Type.String(),
  test: oneOf(conditionTests),
  values: Type.Optional(
    told(ruled(values, { isWhole: true, absent: [] }), "forms.conditionValues", { max: maxConditionValues }),
  ),
})
export const whenRecord = Type.Object({
  match: oneOf(["all", "any"] as const),
  conditions: told(Type.Array(condition, { minItems: 1, maxItems: maxConditions }), "forms.conditionCount", {
    max: maxConditions,
  }),
})

/** Names of the fields that are not shown with these values. One that is not shown has no value for those after it. */
export function hiddenFields(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  const hidden = new Set<string>()
  if (!fields.some(({ when }) => when)) return hidden
  const byName = new Map(fields.map((field) => [field.name, field]))
  const chosen = new Map<string, ReadonlySet<string>>()
  // Taken apart once: all the fields of a form may ask about the choices of one.
  const chosenIn = (name: string) =>
    hidden.has(name)
      ? nothing
      : chosen.getOrInsertComputed(name, () => chosenValues(byName.get(name), ownValue(values, name)))
  for (const { name, when } of fields) {
    if (!when) continue
    const meets = (condition: Condition) => isMet(condition, chosenIn(condition.field))
    const isShown = when.match === "all" ? when.conditions.every(meets) : when.conditions.some(meets)
    if (!isShown) hidden.add(name)
  }
  return hidden
}

/** A field may be named `constructor`, which every object inherits. */
function ownValue(values: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? "") : ""
}

/** The values of an empty field. */
const nothing: ReadonlySet<string> = new Set([""])

function chosenValues(field: Field | undefined, value: string): ReadonlySet<string> {
  if (!field) return nothing
  return new Set(fieldRules[field.type].value === "options" ? splitChoices(value) : [value.trim()])
}

function isMet({ test, values }: Condition, chosen: ReadonlySet<string>): boolean {
  if (test === "filled") return chosen.values().some((each) => each !== "")
  return values.some((value) => chosen.has(value)) === (test === "is")
}

/** By path, beyond what the schema refuses. A condition may only refer to an earlier field. */
export function wrongConditions(fields: readonly (Field | undefined)[]): [path: string, Detail][] {
  const lastPage = fields.findLastIndex((field) => field?.type === "page")
  return fields.flatMap((field, place): [string, Detail][] => {
    if (field?.type === "page" && field.when) return [[`fields.${place}.when`, detail("forms.pageHasNone")]]
    if (field?.type === "file" && place < lastPage)
      return [[`fields.${place}.type`, detail("forms.fileOnLastPage")]]
    return conditionProblems(fields, place)
  })
}

function conditionProblems(fields: readonly (Field | undefined)[], place: number): [string, Detail][] {
  return (fields[place]?.when?.conditions ?? []).flatMap((condition, at): [string, Detail][] => {
    if (condition?.field === undefined || !condition.test || !condition.values) return []
    const path = `fields.${place}.when.conditions.${at}`
    const named = fields.findIndex((each) => each?.name === condition.field)
    const subject = fields[named]
    if (!subject || !hasValue(subject))
      return [[`${path}.field`, detail("forms.conditionOnNothing", { field: condition.field })]]
    if (named >= place)
      return [[`${path}.field`, detail("forms.conditionOnLater", { field: subject.label || subject.name })]]
    const problem = wrongValues(condition, subject)
    return problem ? [[`${path}.values`, problem]] : []
  })
}

function wrongValues({ test, values }: Condition, { type, options, label }: Field): Detail | undefined {
  if (test === "filled" ? values.length > 0 : values.length === 0)
    return detail("forms.conditionValues", { max: maxConditionValues })
  const { value: kind } = fieldRules[type]
  // A file's value is its name, which the visitor chooses.
  if (kind === "files" && test !== "filled") return detail("forms.conditionOnFiles")
  const isChosen = kind === "option" || kind === "options"
  const allowed = kind === "box" ? ["oui"] : isChosen ? options.map(({ value }) => value) : undefined
  const unknown = allowed && values.find((value) => !allowed.includes(value))
  return unknown !== undefined ? detail("forms.conditionValue", { value: unknown, field: label }) : undefined
}
