/** @jsxImportSource preact */
import { type Condition, maxConditions } from "../../webhooks/endpoints/conditions.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { Field } from "../kit/forms/fields.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

interface SettingsProps {
  endpoint: Endpoint | undefined
  /** Of the workspace, with their names. */
  forms: readonly { id: string; name: string }[]
}

/** Demands of an application on its messages, folded: most have none. */
export function EndpointSettings({ endpoint, forms }: SettingsProps) {
  return (
    <>
      {forms.length > 0 && <Conditions conditions={endpoint?.conditions ?? []} forms={forms} />}
      {endpoint?.kind !== "test" && <Headers headers={endpoint?.headers ?? []} />}
    </>
  )
}

/** The fields of these settings as the operation takes them; of a form without them nothing is changed. */
export function settingsIn(values: URLSearchParams): Record<string, unknown> {
  return {
    conditions: values.has("condition_0_form") ? conditionsIn(values) : undefined,
    headers: values.has("headers") ? headersIn(values.get("headers") ?? "") : undefined,
  }
}

/** Forms that one can choose among. A saved one beyond them stays. */
const shownForms = 100

/** One more than there are, to be filled in. */
function Conditions({
  conditions,
  forms,
}: { conditions: readonly Condition[] } & Pick<SettingsProps, "forms">) {
  const { values, problems } = useSubmitted()
  const problem = problemOf(problems, "conditions")
  const submitted = values.has("condition_0_form") ? conditionsIn(values).length : 0
  const count = Math.min(Math.max(conditions.length, submitted) + 1, maxConditions)
  return (
    <details class="options" open={conditions.length > 0 || problem !== undefined}>
      <summary>{words.conditions}</summary>
      <p class="hint">{words.conditionsHint}</p>
      {problem && <p class="wrong">{problem}</p>}
      {Array.from({ length: count }, (_, at) => {
        const { form = "", field = "", values: wanted = [] } = conditions[at] ?? {}
        const choices = forms.filter(({ id }, place) => place < shownForms || id === form)
        return (
          <div key={`condition ${at}`} class="pair">
            <Field
              name={`condition_${at}_form`}
              label={words.conditionForm(at + 1)}
              value={form}
              choices={[["", words.noForm], ...choices.map(({ id, name }) => [id, name] as const)]}
            />
            <Field name={`condition_${at}_field`} label={words.conditionField(at + 1)} value={field} />
            <Field
              name={`condition_${at}_values`}
              label={words.conditionValues(at + 1)}
              value={wanted.join("\n")}
              rows={2}
            />
          </div>
        )
      })}
    </details>
  )
}

function conditionsIn(values: URLSearchParams): Condition[] {
  const all = Array.from({ length: maxConditions }, (_, at) => {
    const of = (part: string) => values.get(`condition_${at}_${part}`)?.trim() ?? ""
    return { form: of("form"), field: of("field"), values: linesOf(of("values")) }
  })
  return all.filter(({ form, field, values }) => form !== "" || field !== "" || values.length > 0)
}

function Headers({ headers }: Pick<Endpoint, "headers">) {
  const problem = problemOf(useSubmitted().problems, "headers")
  return (
    <details class="options" open={headers.length > 0 || problem !== undefined}>
      <summary>{words.ownHeaders}</summary>
      <Field
        name="headers"
        label={words.headersLabel}
        hint={words.headersHint}
        rows={3}
        value={headers.map(({ name }) => `${name}:`).join("\n")}
        problem={problem}
        optional
      />
    </details>
  )
}

function headersIn(text: string) {
  return linesOf(text).map((line) => {
    const [name = "", ...rest] = line.split(":")
    const value = rest.join(":").trim()
    return { name: name.trim(), ...(value !== "" && { value }) }
  })
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** The first problem of a list, whichever of its items has it. */
function problemOf(problems: Readonly<Record<string, string>>, name: string): string | undefined {
  const path = Object.keys(problems).find((each) => each === name || each.startsWith(`${name}.`))
  return path === undefined ? undefined : problems[path]
}
