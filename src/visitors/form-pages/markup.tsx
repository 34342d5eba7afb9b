/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { consentTextHash, namesOtherText } from "../../forms/consent/consent-text.ts"
import type { Field } from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"
import { checkedValue } from "../../forms/submission/value.ts"
import { messages } from "../messages.fr.ts"

/** Contents of a form that is shown again. */
export interface FormState {
  values: Record<string, string>
  problems: Record<string, string>
  /** Value that the consent box sent; null when it was not checked. */
  consent: string | null
  /** Names and values of hidden inputs. */
  hidden: [name: string, value: string][]
}

const inputTypes = {
  text: "text",
  email: "email",
  tel: "tel",
  url: "url",
  number: "number",
  date: "date",
} as const
const autocompletes: Record<string, string> = { email: "email", tel: "tel", url: "url" }

/** The form as HTML: for a page to copy, or shown again with its values and problems. */
export function FormMarkup({ form, action, state }: { form: Form; action?: string; state: FormState }) {
  return (
    <form {...(action !== undefined && { action })} method="post" accept-charset="utf-8">
      {state.hidden.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {form.fields.map((field) => (
        <FieldMarkup
          key={field.name}
          id={idOf(form, field.name)}
          field={field}
          value={ownValue(state.values, field.name) ?? ""}
          problem={ownValue(state.problems, field.name)}
        />
      ))}
      {form.consent && (
        <p>
          <label class="box">
            <input
              type="checkbox"
              name="consent"
              value={consentTextHash(form.consent.text)}
              // A visitor who agreed to an older text is asked again.
              checked={state.consent !== null && !namesOtherText(state.consent, form.consent)}
            />{" "}
            <span>{form.consent.text}</span>
          </label>
          <Problem id={idOf(form, "consent")} problem={state.problems["consent"]} />
        </p>
      )}
      {/* A honeypot: only programs see it, and they fill in whatever they find. */}
      <p hidden>
        <label>
          {messages.trap} <input name="guichet_trap" tabindex={-1} autocomplete="off" />
        </label>
      </p>
      <p>
        <button type="submit">{messages.send}</button>
      </p>
    </form>
  )
}

interface FieldProps {
  id: string
  field: Field
  value: string
  problem: string | undefined
}

/** Reads own properties only: a field may be named `constructor`, which every object inherits. */
function ownValue(values: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Includes the form's id, because a page may show several forms with fields of the same name. */
function idOf({ publicId }: Form, name: string): string {
  return `field-${publicId}-${name}`
}

function FieldMarkup({ id, field, value, problem }: FieldProps) {
  const wrong = problem && { "aria-invalid": "true" as const, "aria-describedby": `${id}-problem` }
  const common = { name: field.name, required: field.required, ...wrong }
  const { type } = field
  const note = <Problem id={id} problem={problem} />
  if (type === "hidden") {
    return (
      <>
        <input type="hidden" name={field.name} value={value} />
        {problem && <p>{`${field.label} – ${problem}`}</p>}
      </>
    )
  }
  if (type === "checkbox") {
    return (
      <p>
        <label class="box">
          <input type="checkbox" value={checkedValue} checked={value === checkedValue} {...common} />{" "}
          <span>{field.label}</span>
        </label>
        {note}
      </p>
    )
  }
  if (type === "radio") {
    return (
      <fieldset>
        <legend>{field.label}</legend>
        {field.options.map((option) => (
          <label key={option.value} class="box">
            <input type="radio" value={option.value} checked={value === option.value} {...common} />{" "}
            <span>{option.label}</span>
          </label>
        ))}
        {note}
      </fieldset>
    )
  }
  return (
    <p>
      <label for={id}>{field.label}</label>
      <Control field={field} value={value} attributes={{ id, ...common }} />
      {note}
    </p>
  )
}

function Control({ field, value, attributes }: { field: Field; value: string; attributes: object }) {
  if (field.type === "textarea") {
    // A browser drops the first line break of a textarea: this one, and not one that the visitor typed.
    return <textarea {...attributes}>{value === "" ? "" : `\n${value}`}</textarea>
  }
  if (field.type === "select") {
    return (
      <select {...attributes}>
        <option value="">{messages.choose}</option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value} selected={value === option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  const type = inputTypes[field.type as keyof typeof inputTypes]
  const autocomplete = autocompletes[type]
  const kind: object = {
    type,
    ...(autocomplete && { autocomplete }),
    ...(type === "number" && { step: "any" }),
  }
  return <input {...kind} {...attributes} {...(value !== "" && { value })} />
}

/** `id` is the field's. */
function Problem({ id, problem }: { id: string; problem: string | undefined }): ComponentChildren {
  if (!problem) return null
  return (
    <span class="wrong" id={`${id}-problem`}>
      {problem}
    </span>
  )
}
