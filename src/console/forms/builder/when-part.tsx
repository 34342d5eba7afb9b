import { maxConditions } from "../../../forms/definition/when.ts"
import { Field } from "../../kit/forms/fields.tsx"
import { useSubmitted } from "../../kit/page-context.ts"
import { countConditions } from "./conditions.ts"
import { rawFields } from "./form-description.ts"
import { words } from "./words.fr.ts"

interface Props {
  index: number
  /** Address of the builder, at this field. */
  place: string
  /** Whether it has an empty condition, to be filled in. */
  isAsked: boolean
}

/** When a field is shown: conditions on the fields before it. */
export function WhenPart({ index, place, isAsked }: Props) {
  const { values, problems } = useSubmitted()
  const raw = rawFields(values)
  const own = raw[index] ?? {}
  const start = `fields.${index}.when.`
  const count = countConditions(own)
  const rows = Math.min(count + (isAsked ? 1 : 0), maxConditions)
  // Nothing stands before the first field; it may have come there with its conditions.
  if (index === 0 && count === 0) return null
  const before = raw.slice(0, index).flatMap((field, at): [string, string][] => {
    const title = field["label"]?.trim() || words.field(at + 1)
    return field["type"] === "paragraph" || field["type"] === "page" ? [] : [[field["key"] ?? "", title]]
  })
  return (
    <div class="when">
      {rows > 0 && <p class="hint">{words.whenHint}</p>}
      {rows > 1 && <Field name={`${start}match`} label={words.match} choices={words.matches} />}
      {Array.from({ length: rows }, (_, at) => {
        const askedKey = own[`when.conditions.${at}.field`] ?? ""
        const isThere = askedKey === "" || before.some(([key]) => key === askedKey)
        const elsewhere = raw.find(({ key }) => key === askedKey)?.["label"]
        return (
          <div class="condition" key={at}>
            <Field
              name={`${start}conditions.${at}.field`}
              label={words.askedField(at + 1)}
              choices={[
                ["", words.noCondition],
                ...before,
                ...(isThere ? [] : [[askedKey, words.notBefore({ field: elsewhere ?? askedKey })] as const]),
              ]}
            />
            <Field name={`${start}conditions.${at}.test`} label={words.test} choices={words.tests} />
            <Field
              name={`${start}conditions.${at}.values`}
              label={words.comparedValues}
              hint={words.comparedValuesHint}
              rows={2}
            />
          </div>
        )
      })}
      {problems[`fields.${index}.when`] && <p class="wrong">{problems[`fields.${index}.when`]}</p>}
      {rows < maxConditions && (
        <button type="submit" class="quiet" name="intent" value={`condition.${index}`} formaction={place}>
          {rows === 0 ? words.showIf : words.addCondition}
          <span class="sr"> ({words.field(index + 1)})</span>
        </button>
      )}
    </div>
  )
}
