/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { fieldTypes } from "../../forms/definition/field.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import type { Filled } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { messages } from "../messages/forms.fr.ts"
import { countFields } from "./form-description.ts"

interface Props {
  visit: Visit
  filled: Filled
  action: string
  /** What the button that saves says. */
  save: string
  canMail: boolean
  /** What the page shows of a form that exists. */
  seen?: ComponentChildren
}

/**
 * Where a form is described: works without JavaScript, for its buttons send it as it stands and show it
 * again.
 */
export function FormBuilder({ visit, filled, action, save, canMail, seen }: Props) {
  const count = countFields(filled.values)
  return (
    <Form visit={visit} action={action}>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" hidden>
        {save}
      </button>
      {seen}
      <Problem filled={filled} />
      <Field filled={filled} name="name" label={messages.name} hint={messages.nameHint} />
      <h2>{messages.fields}</h2>
      <p class="hint">{messages.fieldsHint}</p>
      <input type="hidden" name="field_count" value={count} />
      {filled.problems["fields"] && <p class="wrong">{filled.problems["fields"]}</p>}
      {Array.from({ length: count }, (_, index) => (
        <FieldItem key={index} filled={filled} index={index} action={action} />
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
          filled={filled}
          name="consent.text"
          label={messages.consentText}
          hint={messages.consentTextHint}
          rows={2}
          optional
        />
        <Box filled={filled} name="consent.confirmation" label={messages.confirmation} />
        {!canMail && <p class="hint">{messages.mailOff}</p>}
      </fieldset>
      <fieldset>
        <legend>{messages.after}</legend>
        <Field
          filled={filled}
          name="redirect_url"
          type="url"
          label={messages.redirect}
          hint={messages.redirectHint}
          optional
        />
        <Field
          filled={filled}
          name="retention_days"
          label={messages.retention}
          hint={messages.retentionHint}
          optional
        />
        <Field
          filled={{ ...filled, problems: { ...filled.problems, ...ownerMailProblem(filled) } }}
          name="owner_mail.to"
          type="email"
          label={messages.ownerMail}
          hint={messages.ownerMailHint}
          optional
        />
        <Box filled={filled} name="owner_mail.contents" label={messages.ownerContents} />
      </fieldset>
      <button type="submit">{save}</button>
    </Form>
  )
}

/** Where the page goes on after a button: at the field in question, for eyes and keyboard alike. */
function placeOf(index: number): string {
  return `field-${index + 1}`
}

function FieldItem({ filled, index, action }: { filled: Filled; index: number; action: string }) {
  const start = `fields.${index}.`
  const number = index + 1
  const type = filled.values.get(`${start}type`) ?? "text"
  const hasOptions = type === "select" || type === "radio"
  const problem = filled.problems[`fields.${index}`]
  return (
    <fieldset class="item" id={placeOf(index)}>
      <legend>{messages.field(number)}</legend>
      {problem && <p class="wrong">{problem}</p>}
      <div class="pair">
        <Field filled={filled} name={`${start}label`} label={messages.label} />
        <Choice
          filled={filled}
          name={`${start}type`}
          label={messages.type}
          value="text"
          choices={fieldTypes.map((each) => [each, messages.types[each]])}
        />
        <Field filled={filled} name={`${start}name`} label={messages.variable} optional />
      </div>
      <details class="options" open={hasOptions || filled.problems[`${start}options`] !== undefined}>
        <summary>{messages.options}</summary>
        <Field
          filled={filled}
          name={`${start}options`}
          label={messages.optionLines}
          hint={messages.optionsHint}
          rows={3}
          optional
        />
      </details>
      <div class="actions">
        <Box filled={filled} name={`${start}required`} label={messages.required} />
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

function Box({ filled, name, label }: { filled: Filled; name: string; label: string }) {
  const problem = filled.problems[name]
  return (
    <div class="field">
      <label class="box">
        <input
          type="checkbox"
          name={name}
          checked={filled.values.has(name)}
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

function ownerMailProblem({ problems }: Filled): Record<string, string> {
  const problem = problems["owner_mail.to"] ?? problems["owner_mail"]
  return problem ? { "owner_mail.to": problem } : {}
}
