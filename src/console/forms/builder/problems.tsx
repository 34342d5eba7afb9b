import type { SubmittedForm } from "../../kit/forms/submitted-form.ts"
import { useSubmitted } from "../../kit/page-context.ts"
import { fieldAnchor } from "./field-item.tsx"
import { countFields } from "./form-description.ts"
import { words } from "./words.fr.ts"

/** The faults of the form, with a link to each faulty field: it may be several screens further down. */
export function Problems() {
  const submitted = useSubmitted()
  if (!submitted.problem) return null
  const faults = faultsIn(submitted)
  return (
    <div class="problem" role="alert">
      <p>{submitted.problem}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ target, name }) => (
            <li key={target}>
              <a href={`#${target}`}>{name}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface Fault {
  /** Id of the control, or of the field's section where all of it is wrong. */
  target: string
  name: string
}

/** In the order of the page. */
function faultsIn({ problems, values }: SubmittedForm): Fault[] {
  const settings = Object.entries(words.settingNames).map(([target, name]) => ({ target, name }))
  const [name, ...others] = settings as [Fault, ...Fault[]]
  const fields = Array.from({ length: countFields(values) }, (_, index) =>
    faultsOfField(index, problems, values),
  )
  const isWrong = ({ target }: Fault) => target in problems
  const list = "fields" in problems ? [{ target: "builder-fields", name: words.fields }] : []
  return [...[name].filter(isWrong), ...list, ...fields.flat(), ...others.filter(isWrong)]
}

function faultsOfField(index: number, problems: SubmittedForm["problems"], values: URLSearchParams): Fault[] {
  const start = `fields.${index}`
  const label = values.get(`${start}.label`)?.trim() ?? ""
  const parts = Object.entries(words.partNames).filter(([part]) => `${start}.${part}` in problems)
  const whole = start in problems ? [{ target: fieldAnchor(index), name: words.fault(index + 1, label) }] : []
  const isText = values.get(`${start}.type`) === "paragraph"
  const conditions = Object.keys(problems).filter((path) => path.startsWith(`${start}.when.`))
  const controlName = (part: string) => (isText && part === "label" ? "text" : part)
  return [
    ...whole,
    ...conditions.map((target) => ({ target, name: words.fault(index + 1, label, words.partNames.when) })),
    ...parts.map(([part, name]) => ({
      target: `${start}.${controlName(part)}`,
      name: words.fault(index + 1, label, isText ? words.text.toLowerCase() : name),
    })),
  ]
}
