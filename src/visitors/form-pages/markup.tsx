/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { markOf, namesAnother } from "../../forms/consent/consent-text.ts"
import type { Field } from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"
import { checked } from "../../forms/submission/value.ts"
import { messages } from "../messages.fr.ts"

/** What is already in a form that is shown again. */
export interface Filled {
  values: Record<string, string>
  problems: Record<string, string>
  /** What the consent box sent, when it was checked. */
  consent: string | null
  /** Names and values that go along unseen. */
  carried: [name: string, value: string][]
}

const inputTypes = {
  text: "text",
  email: "email",
  tel: "tel",
  url: "url",
  number: "number",
  date: "date",
} as const
const completions: Record<string, string> = { email: "email", tel: "tel", url: "url" }

/** The form as HTML: what a page copies, and what is shown again with its values when something is wrong. */
export function FormMarkup({ form, action, filled }: { form: Form; action?: string; filled: Filled }) {
  return (
    <form {...(action !== undefined && { action })} method="post" accept-charset="utf-8">
      {filled.carried.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {form.fields.map((field) => (
        <FieldMarkup
          key={field.name}
          id={idOf(form, field.name)}
          field={field}
          value={given(filled.values, field.name) ?? ""}
          problem={given(filled.problems, field.name)}
        />
      ))}
      {form.consent && (
        <p>
          <label class="box">
            <input
              type="checkbox"
              name="consent"
              value={markOf(form.consent.text)}
              // Who agreed to an older wording is asked again.
              checked={filled.consent !== null && !namesAnother(filled.consent, form.consent)}
            />{" "}
            <span>{form.consent.text}</span>
          </label>
          <Problem id={idOf(form, "consent")} problem={filled.problems["consent"]} />
        </p>
      )}
      {/* Seen by programs alone, which fill in whatever they find. */}
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

/** Every object has a `constructor`, and a field may have that name. */
function given(values: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** A page may show several forms, with fields of the same name. */
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
          <input type="checkbox" value={checked} checked={value === checked} {...common} />{" "}
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
    // A browser drops the first line break of a textarea: this one, not the person's.
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
  const completion = completions[type]
  const kind: object = {
    type,
    ...(completion && { autocomplete: completion }),
    ...(type === "number" && { step: "any" }),
  }
  return <input {...kind} {...attributes} {...(value !== "" && { value })} />
}

/** `id`: that of the field. */
function Problem({ id, problem }: { id: string; problem: string | undefined }): ComponentChildren {
  if (!problem) return null
  return (
    <span class="wrong" id={`${id}-problem`}>
      {problem}
    </span>
  )
}
