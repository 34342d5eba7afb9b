import type { Option, When } from "../../../forms/definition/field.ts"
import { fieldRules, isFieldType } from "../../../forms/definition/field-types.ts"
import { maxConditions } from "../../../forms/definition/when.ts"

/** A field as the builder holds it: texts by the part of its description. */
export type RawField = Record<string, string>

const parts = ["field", "test", "values"] as const
const conditionPath = (at: number, part: string) => `when.conditions.${at}.${part}`

export function countConditions(raw: RawField): number {
  return conditionRows(raw).length
}

function conditionRows(raw: RawField): { field: string; test: string; values: string }[] {
  return Array.from({ length: maxConditions }, (_, at) => {
    const part = (name: string) => raw[conditionPath(at, name)] ?? ""
    const field = part("field")
    // Values that were offered of one field are none of another that was chosen since.
    const isOffered = ["", field].includes(part("offered"))
    return { field, test: part("test") || "is", values: isOffered ? part("values") : "" }
  }).filter(({ field }) => field !== "")
}

/**
 * The fields with the conditions that were taken out closed up, and a key each. A condition names a field by its key:
 * the name that it is saved by, which is then free to be changed, or one of its own.
 */
export function tidied(fields: readonly RawField[]): RawField[] {
  const used = new Set(fields.map(({ key }) => key))
  return fields.map((raw, place) => {
    const others = Object.entries(raw).filter(([part]) => !part.startsWith("when.conditions."))
    const rows = conditionRows(raw).flatMap((row, at) =>
      parts.map((part) => [conditionPath(at, part), row[part]]),
    )
    let { key = "" } = raw
    for (let number = place; key === ""; number++)
      if (!used.has(`champ-${number}`)) key = raw["name"]?.trim() || `champ-${number}`
    used.add(key)
    return { ...Object.fromEntries([...others, ...rows]), key }
  })
}

/** Conditions on a field that goes away name it as the description would have. */
export function withoutField(fields: readonly RawField[], { key }: RawField, name: string): RawField[] {
  return fields.map((raw) =>
    Object.fromEntries(
      Object.entries(raw).map(([part, value]) => [
        part,
        /\.field$/.test(part) && value === key ? name : value,
      ]),
    ),
  )
}

/** Another than `When`, where what was chosen is to be refused. */
export interface DescribedWhen {
  match: string
  conditions: { field: string; test: string; values: string[] }[]
}

/** As the description has them. `named`: the described fields, by key. */
export function describedWhen(
  raw: RawField,
  named: ReadonlyMap<string, { name: string; type: string; options?: Option[] }>,
): DescribedWhen | undefined {
  const conditions = conditionRows(raw).map(({ field: key, test, values }) => {
    const askedField = named.get(key)
    const isBox = isFieldType(askedField?.type) && fieldRules[askedField.type].value === "box"
    const options = askedField?.options ?? []
    const findOption = (line: string) =>
      options.find(({ value }) => value === line) ?? options.find(({ label }) => label === line)
    const lines = values.split("\n").flatMap((line) => line.trim() || [])
    const typed = isBox ? ["oui"] : lines.map((line) => findOption(line)?.value ?? line)
    return { field: askedField?.name ?? key, test, values: test === "filled" ? [] : typed }
  })
  return conditions.length === 0 ? undefined : { match: raw["when.match"] || "all", conditions }
}

export function writeWhen(set: (part: string, value: string) => void, { match, conditions }: When): void {
  set("when.match", match)
  for (const [at, { field, test, values }] of conditions.entries()) {
    set(conditionPath(at, "field"), field)
    set(conditionPath(at, "test"), test)
    set(conditionPath(at, "values"), values.join("\n"))
  }
}

/** The conditions of a draft that hold so far: a draft's fields have names of their own. `places` by name. */
export function draftWhen(when: DescribedWhen | undefined, places: ReadonlyMap<string, number>, own: number) {
  const conditions = (when as When | undefined)?.conditions.flatMap((condition) => {
    const place = places.get(condition.field)
    return place === undefined || place >= own ? [] : [{ ...condition, field: `field${place}` }]
  })
  return conditions?.length ? { when: { ...(when as When), conditions } } : {}
}
