/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { fieldTypes } from "../../forms/definition/field.ts"
import { Choice, Field, Form, Problem } from "../kit/forms/fields.tsx"
import type { FormState } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/forms.fr.ts"
import { countFields } from "./form-description.ts"

interface Props {
  context: PageContext
  formState: FormState
  action: string
  /** Label of the save button. */
  save: string
  canMail: boolean
  /** Optimistic-locking field of an existing form. */
  versionField?: ComponentChildren
}

/**
 * The form builder. It works without JavaScript: its buttons submit the current state, and the server renders
 * the changed builder.
 */
export function FormBuilder({ context, formState, action, save, canMail, versionField }: Props) {
  const count = countFields(formState.values)
  return (
    <Form context={context} action={action}>
      {/* Enter presses the first button of a form. This hidden one makes it save. */}
      <button type="submit" hidden>
        {save}
      </button>
      {versionField}
      <Problem formState={formState} />
      <Field formState={formState} name="name" label={messages.name} hint={messages.nameHint} />
      <h2>{messages.fields}</h2>
      <p class="hint">{messages.fieldsHint}</p>
      <input type="hidden" name="field_count" value={count} />
      {formState.problems["fields"] && <p class="wrong">{formState.problems["fields"]}</p>}
      {Array.from({ length: count }, (_, index) => (
        <FieldItem key={index} formState={formState} index={index} action={action} />
      ))}
      <p>
        <button
          type="submit"
          class="quiet"
          name="intent"
          value="add"
          formaction={`${action}#${placeOf(count)}`}
        >
          {messages.addField}
        </button>
      </p>
      <fieldset>
        <legend>{messages.consent}</legend>
        <Field
          formState={formState}
          name="consent.text"
          label={messages.consentText}
          hint={messages.consentTextHint}
          rows={2}
          optional
        />
        <Box formState={formState} name="consent.confirmation" label={messages.confirmation} />
        {!canMail && <p class="hint">{messages.mailOff}</p>}
      </fieldset>
      <fieldset>
        <legend>{messages.after}</legend>
        <Field
          formState={formState}
          name="redirect_url"
          type="url"
          label={messages.redirect}
          hint={messages.redirectHint}
          optional
        />
        <Field
          formState={formState}
          name="retention_days"
          label={messages.retention}
          hint={messages.retentionHint}
          optional
        />
        <Field
          formState={{ ...formState, problems: { ...formState.problems, ...ownerMailProblem(formState) } }}
          name="owner_mail.to"
          type="email"
          label={messages.ownerMail}
          hint={messages.ownerMailHint}
          optional
        />
        <Box formState={formState} name="owner_mail.contents" label={messages.ownerContents} />
      </fieldset>
      <button type="submit">{save}</button>
    </Form>
  )
}

/** Id of a field's section. Buttons link to it, so that view and focus stay at the field after a submit. */
function placeOf(index: number): string {
  return `field-${index + 1}`
}

function FieldItem({ formState, index, action }: { formState: FormState; index: number; action: string }) {
  const start = `fields.${index}.`
  const number = index + 1
  const type = formState.values.get(`${start}type`) ?? "text"
  const hasOptions = type === "select" || type === "radio"
  const problem = formState.problems[`fields.${index}`]
  return (
    <fieldset class="item" id={placeOf(index)}>
      <legend>{messages.field(number)}</legend>
      {problem && <p class="wrong">{problem}</p>}
      <div class="pair">
        <Field formState={formState} name={`${start}label`} label={messages.label} />
        <Choice
          formState={formState}
          name={`${start}type`}
          label={messages.type}
          value="text"
          choices={fieldTypes.map((each) => [each, messages.types[each]])}
        />
        <Field formState={formState} name={`${start}name`} label={messages.variable} optional />
      </div>
      <details class="options" open={hasOptions || formState.problems[`${start}options`] !== undefined}>
        <summary>{messages.options}</summary>
        <Field
          formState={formState}
          name={`${start}options`}
          label={messages.optionLines}
          hint={messages.optionsHint}
          rows={3}
          optional
        />
      </details>
      <div class="actions">
        <Box formState={formState} name={`${start}required`} label={messages.required} />
        <span class="actions">
          {index > 0 && (
            <button
              type="submit"
              class="quiet"
              name="intent"
              value={`up.${index}`}
              formaction={`${action}#${placeOf(index - 1)}`}
              aria-label={messages.moveUp(number)}
            >
              {messages.up}
            </button>
          )}
          <button
            type="submit"
            class="quiet"
            name="intent"
            value={`remove.${index}`}
            formaction={`${action}#${placeOf(Math.max(index - 1, 0))}`}
            aria-label={messages.removeField(number)}
          >
            {messages.takeOut}
          </button>
        </span>
      </div>
    </fieldset>
  )
}

function Box({ formState, name, label }: { formState: FormState; name: string; label: string }) {
  const problem = formState.problems[name]
  return (
    <div class="field">
      <label class="box">
        <input
          type="checkbox"
          name={name}
          checked={formState.values.has(name)}
          aria-describedby={problem && `${name}-problem`}
          aria-invalid={problem ? "true" : undefined}
        />
        <span>{label}</span>
      </label>
      {problem && (
        <p class="wrong" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

function ownerMailProblem({ problems }: FormState): Record<string, string> {
  const problem = problems["owner_mail.to"] ?? problems["owner_mail"]
  return problem ? { "owner_mail.to": problem } : {}
}
