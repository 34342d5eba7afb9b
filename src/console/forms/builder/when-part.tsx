import { fieldRules, isFieldType } from "../../../forms/definition/field-types.ts"
import { maxConditions } from "../../../forms/definition/when.ts"
import { Box, Field } from "../../kit/forms/fields.tsx"
import { useSubmitted } from "../../kit/page-context.ts"
import { countConditions, type RawField } from "./conditions.ts"
import { optionsIn, rawFields } from "./form-description.ts"
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
        const asked = raw.find(({ key }) => key === askedKey)
        return (
          <div class="condition" key={at}>
            <Field
              name={`${start}conditions.${at}.field`}
              label={words.askedField(at + 1)}
              choices={[
                ["", words.noCondition],
                ...before,
                ...(isThere
                  ? []
                  : [[askedKey, words.notBefore({ field: asked?.["label"] ?? askedKey })] as const]),
              ]}
            />
            <Field name={`${start}conditions.${at}.test`} label={words.test} choices={words.tests} />
            {asked && <input type="hidden" name={`${start}conditions.${at}.offered`} value={askedKey} />}
            <ComparedValues name={`${start}conditions.${at}.values`} asked={asked} />
            <noscript>
              <button type="submit" class="quiet" name="intent" value={`values.${index}`} formaction={place}>
                {words.offerValues}
                <span class="sr"> ({words.askedField(at + 1)})</span>
              </button>
            </noscript>
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

/** The choices of the field that is asked about, where it has some. A box has one value, which needs no word. */
function ComparedValues({ name, asked }: { name: string; asked: RawField | undefined }) {
  const { values, problems } = useSubmitted()
  const type = asked?.["type"]
  const kind = isFieldType(type) ? fieldRules[type].value : "none"
  if (["none", "box", "files"].includes(kind)) return null
  if (kind !== "option" && kind !== "options")
    return (
      <div class="compared">
        <Field name={name} label={words.comparedValues} hint={words.comparedValuesHint} rows={2} />
      </div>
    )
  const chosen = (values.get(name) ?? "").split("\n").filter(Boolean)
  const options = optionsIn(asked?.["options"] ?? "")
  // A value that is no choice any more stays in sight, to be taken out.
  const gone = chosen.filter((each) => options.every(({ value, label }) => value !== each && label !== each))
  return (
    <fieldset class="field boxes compared" id={name}>
      <legend class="hint">{words.comparedOptions}</legend>
      {[...options, ...gone.map((value) => ({ value, label: value }))].map(({ value, label }, at) => (
        <Box
          key={value}
          name={`${name}.${at}`}
          value={value}
          checked={chosen.includes(value) || chosen.includes(label)}
        >
          {label}
        </Box>
      ))}
      {problems[name] && <p class="wrong">{problems[name]}</p>}
    </fieldset>
  )
}
