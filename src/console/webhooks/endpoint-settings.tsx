import { ratePeriods } from "../../db/tables/webhooks.ts"
import { type Condition, maxConditions } from "../../webhooks/endpoints/conditions.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { eventTypes, formEvent } from "../../webhooks/endpoints/event-types.ts"
import { Field } from "../kit/forms/fields.tsx"
import { firstProblem, headerLines, headersIn, OwnHeaders } from "../kit/forms/own-headers.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

interface SettingsProps {
  endpoint: Endpoint | undefined
  forms: readonly { id: string; name: string }[]
}

/** Demands of an application on its messages, folded: most have none. */
export function EndpointSettings({ endpoint, forms }: SettingsProps) {
  return (
    <>
      <Events events={endpoint?.events ?? [formEvent]} />
      {forms.length > 0 && <Conditions conditions={endpoint?.conditions ?? []} forms={forms} />}
      <Turns inOrder={endpoint?.inOrder ?? false} rate={endpoint?.rate ?? null} />
      {endpoint?.kind !== "test" && (
        <OwnHeaders headers={endpoint?.headers ?? []} summary={words.ownHeaders} hint={words.headersHint} />
      )}
    </>
  )
}

/** The fields of these settings as the operation takes them; of a form without them nothing is changed. */
export function settingsIn(values: URLSearchParams): Record<string, unknown> {
  return {
    conditions: values.has("condition_0_form") ? conditionsIn(values) : undefined,
    events: values.has("events_shown") ? values.getAll("events") : undefined,
    ...(values.has("rate_per") && turnsIn(values)),
    headers: headersIn(values),
  }
}

function Events({ events }: Pick<Endpoint, "events">) {
  const { values, problems } = useSubmitted()
  const chosen = values.has("events_shown") ? values.getAll("events") : events
  const problem = firstProblem(problems, "events")
  return (
    <details class="options" open={events.some((type) => type !== formEvent) || problem !== undefined}>
      <summary>{words.events}</summary>
      <input type="hidden" name="events_shown" value="yes" />
      <fieldset class="boxes" aria-label={words.events}>
        {eventTypes.map((type) => (
          <label key={type} class="box">
            <input type="checkbox" name="events" value={type} checked={chosen.includes(type)} />
            <span>{words.eventNames[type]}</span>
          </label>
        ))}
        {problem && <p class="wrong">{problem}</p>}
      </fieldset>
    </details>
  )
}

const shownForms = 100

/** One more than there are, to be filled in. */
function Conditions({
  conditions,
  forms,
}: { conditions: readonly Condition[] } & Pick<SettingsProps, "forms">) {
  const { values, problems } = useSubmitted()
  const problem = firstProblem(problems, "conditions")
  const submitted = values.has("condition_0_form") ? conditionsIn(values).length : 0
  const count = Math.min(Math.max(conditions.length, submitted) + 1, maxConditions)
  return (
    <details class="options" open={conditions.length > 0 || problem !== undefined}>
      <summary>{words.conditions}</summary>
      <p class="hint">{words.conditionsHint}</p>
      {problem && <p class="wrong">{problem}</p>}
      {Array.from({ length: count }, (_, at) => {
        const { form = "", field = "", values: wanted = [] } = conditions[at] ?? {}
        // A row that is filled in offers its own alone: a list for each would make a heavy page.
        const choices = forms.filter(({ id }, place) => (form === "" ? place < shownForms : id === form))
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
    return { form: of("form"), field: of("field"), values: headerLines(of("values")) }
  })
  return all.filter(({ form, field, values }) => form !== "" || field !== "" || values.length > 0)
}

function Turns({ inOrder, rate }: Pick<Endpoint, "inOrder" | "rate">) {
  const problem = firstProblem(useSubmitted().problems, "rate")
  return (
    <details class="options" open={inOrder || rate !== null || problem !== undefined}>
      <summary>{words.turns}</summary>
      <Field name="in_order" type="box" label={words.inOrder} hint={words.inOrderHint} checked={inOrder} />
      <div class="pair">
        <Field
          name="rate_messages"
          type="number"
          label={words.rate}
          hint={words.rateHint}
          value={rate ? String(rate.messages) : ""}
          problem={problem}
          optional
        />
        <Field
          name="rate_per"
          label={words.ratePer}
          value={rate?.per ?? "minute"}
          choices={ratePeriods.map((period) => [period, words.ratePeriods[period]] as const)}
        />
      </div>
    </details>
  )
}

function turnsIn(values: URLSearchParams) {
  const typed = (values.get("rate_messages") ?? "").trim()
  const messages = /^\d{1,9}$/.test(typed) ? Number(typed) : typed
  return {
    in_order: values.has("in_order"),
    rate: typed === "" ? null : { messages, per: values.get("rate_per") },
  }
}
