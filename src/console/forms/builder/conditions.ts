import type { Option, When } from "../../../forms/definition/field.ts"
import { fieldRules, isFieldType } from "../../../forms/definition/field-types.ts"
import { maxConditions } from "../../../forms/definition/when.ts"

/** A field as the builder holds it: texts by the part of its description. */
export type RawField = Record<string, string>

const parts = ["field", "test", "values"] as const
const pathOf = (at: number, part: (typeof parts)[number]) => `when.conditions.${at}.${part}`

export function countConditions(raw: RawField): number {
  return rowsOf(raw).length
}

/** Those that ask about a field, in their order. */
function rowsOf(raw: RawField): { field: string; test: string; values: string }[] {
  return Array.from({ length: maxConditions }, (_, at) => ({
    field: raw[pathOf(at, "field")] ?? "",
    test: raw[pathOf(at, "test")] || "is",
    values: raw[pathOf(at, "values")] ?? "",
  })).filter(({ field }) => field !== "")
}

/**
 * The fields with the conditions that were taken out closed up, and a key each. A condition names a field by its key:
 * the name that it is saved by, which is then free to be changed, or one of its own.
 */
export function tidied(fields: readonly RawField[]): RawField[] {
  const used = new Set(fields.map(({ key }) => key))
  return fields.map((raw, place) => {
    const others = Object.entries(raw).filter(([part]) => !part.startsWith("when.conditions."))
    const rows = rowsOf(raw).flatMap((row, at) => parts.map((part) => [pathOf(at, part), row[part]]))
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
export function whenOf(
  raw: RawField,
  named: ReadonlyMap<string, { name: string; type: string; options?: Option[] }>,
): DescribedWhen | undefined {
  const conditions = rowsOf(raw).map(({ field: key, test, values }) => {
    const asked = named.get(key)
    const isBox = isFieldType(asked?.type) && fieldRules[asked.type].value === "box"
    const options = asked?.options ?? []
    const optionOf = (line: string) =>
      options.find(({ value }) => value === line) ?? options.find(({ label }) => label === line)
    const lines = values.split("\n").flatMap((line) => line.trim() || [])
    const typed = isBox ? ["oui"] : lines.map((line) => optionOf(line)?.value ?? line)
    return { field: asked?.name ?? key, test, values: test === "filled" ? [] : typed }
  })
  return conditions.length === 0 ? undefined : { match: raw["when.match"] || "all", conditions }
}

export function writeWhen(set: (part: string, value: string) => void, { match, conditions }: When): void {
  set("when.match", match)
  for (const [at, { field, test, values }] of conditions.entries()) {
    set(pathOf(at, "field"), field)
    set(pathOf(at, "test"), test)
    set(pathOf(at, "values"), values.join("\n"))
  }
}

/** Of a draft, whose fields have names of their own: conditions that hold so far. `places` by name. */
export function draftWhen(when: DescribedWhen | undefined, places: ReadonlyMap<string, number>, own: number) {
  const conditions = (when as When | undefined)?.conditions.flatMap((condition) => {
    const place = places.get(condition.field)
    return place === undefined || place >= own ? [] : [{ ...condition, field: `field${place}` }]
  })
  return conditions?.length ? { when: { ...(when as When), conditions } } : {}
}
