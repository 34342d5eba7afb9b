import { ratePeriods } from "../../db/tables/webhooks.ts"
import type { Field as FormField } from "../../forms/definition/field.ts"
import { type Condition, maxConditions } from "../../webhooks/endpoints/conditions.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { eventTypes, formEvent } from "../../webhooks/endpoints/event-types.ts"
import { QuietButton } from "../kit/components.tsx"
import { Box, Field } from "../kit/forms/fields.tsx"
import { filledLines } from "../kit/forms/input.ts"
import { firstProblem, headersIn, OwnHeaders } from "../kit/forms/own-headers.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

/** The projects and forms of the workspace, offered as filter of an endpoint. */
export interface Choices {
  projects: { id: string; name: string }[]
  /** With the fields that a condition can be about: of those that conditions are about, and of some others. */
  forms: { id: string; name: string; fields: readonly FormField[] }[]
}

interface SettingsProps {
  endpoint: Endpoint | undefined
  forms: Choices["forms"]
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
    conditions: values.has("condition_0_field") ? conditionsIn(values) : undefined,
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
          <Box key={type} name="events" value={type} checked={chosen.includes(type)}>
            {words.eventNames[type]}
          </Box>
        ))}
        {problem && <p class="wrong">{problem}</p>}
      </fieldset>
    </details>
  )
}

/** Pressed to see the values of the field that a new condition is about. */
export const offersValues = (values: URLSearchParams) => values.get("intent") === "values"

/** One more than there are, to be filled in. */
function Conditions({ conditions, forms }: { conditions: readonly Condition[] } & Pick<Choices, "forms">) {
  const { values, problems } = useSubmitted()
  const problem = firstProblem(problems, "conditions")
  const present = values.has("condition_0_field") ? conditionsIn(values) : conditions
  const isOpen = present.length > 0 || problem !== undefined
  return (
    <details class="options" open={isOpen}>
      <summary>{words.conditions}</summary>
      <p class="hint">{words.conditionsHint}</p>
      {problem && <p class="wrong">{problem}</p>}
      {present.map((condition, at) => (
        <ConditionRow key={condition.form + condition.field} at={at} of={condition} forms={forms} />
      ))}
      {present.length < maxConditions && (
        <div class="row">
          <div class="field">
            <label for="new-condition">{words.newCondition}</label>
            <select id="new-condition" name={`condition_${present.length}_field`}>
              <option value="">{words.noCondition}</option>
              {forms.map(
                ({ id, name, fields }) =>
                  fields.length > 0 && (
                    <optgroup key={id} label={name}>
                      {fields.map((field) => (
                        <option key={field.name} value={`${id} ${field.name}`}>
                          {field.label}
                        </option>
                      ))}
                    </optgroup>
                  ),
              )}
            </select>
          </div>
          <QuietButton name="intent" value="values" label={words.offerValues} />
        </div>
      )}
    </details>
  )
}

/** Its field stands, and its values are ticked or written: one that has none goes. */
function ConditionRow({ at, of, forms }: { at: number; of: Condition } & Pick<Choices, "forms">) {
  const form = forms.find(({ id }) => id === of.form)
  const field = form?.fields.find(({ name }) => name === of.field)
  const name = `condition_${at}_values`
  const options = field?.type === "checkbox" ? [{ value: "oui", label: words.ticked }] : field?.options
  // A value that is no choice any more stays in sight, to be taken out.
  const gone = of.values.filter((each) => !options?.some(({ value }) => value === each))
  const title = words.conditionOn(field?.label ?? of.field, form?.name ?? words.removedForm)
  return (
    <>
      <input type="hidden" name={`condition_${at}_field`} value={`${of.form} ${of.field}`} />
      <input type="hidden" name={`condition_${at}_offered`} value="yes" />
      {options && options.length > 0 ? (
        <fieldset class="boxes" aria-label={title}>
          <p class="hint">{title}</p>
          {[...options, ...gone.map((value) => ({ value, label: value }))].map(({ value, label }) => (
            <Box key={value} name={name} value={value} checked={of.values.includes(value)}>
              {label}
            </Box>
          ))}
        </fieldset>
      ) : (
        <Field name={name} label={title} hint={words.valuesHint} value={of.values.join("\n")} rows={2} />
      )}
    </>
  )
}

/** One that was offered its values and has none is left out; a new one without any is refused, and offered them. */
function conditionsIn(values: URLSearchParams): Condition[] {
  const all = Array.from({ length: maxConditions }, (_, at) => {
    const [form = "", field = ""] = values.get(`condition_${at}_field`)?.split(" ") ?? []
    const isOffered = values.has(`condition_${at}_offered`)
    return { isOffered, form, field, values: values.getAll(`condition_${at}_values`).flatMap(filledLines) }
  })
  return all
    .filter(({ isOffered, form, values }) => form !== "" && (!isOffered || values.length > 0))
    .map(({ isOffered: _, ...condition }) => condition)
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
          {...words.rate}
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
