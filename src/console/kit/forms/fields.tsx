/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { messages } from "../../messages/shell.fr.ts"
import { csrfField } from "../csrf.ts"
import { Submitted, usePage, useSubmitted } from "../page-context.ts"
import { singleSubmitField } from "./single-submit.ts"

interface FormProps {
  action: string
  /** The CSRF token, where the page has no navigation. */
  token?: string
  /** On a page with several forms: shows the submitted state only if that has this field. */
  only?: string
  /** Question asked before the form is sent, where scripts run. */
  confirm?: string | undefined
  /** Rejects a second submission of the same form (single-submit.ts). */
  singleSubmit?: boolean
  /**
   * Id of a form that the rows of a list share, each with a button that names it (`form=`): many rows with a form
   * each would make a heavy page. Such a form shows nothing itself.
   */
  forRows?: string
  children?: ComponentChildren
}

/**
 * A form of the console with its CSRF token. The browser validates nothing (`novalidate`): our messages are
 * clearer.
 */
export function Form(props: FormProps) {
  const { action, token = usePage().token, only, confirm, singleSubmit = false, forRows, children } = props
  const shared = forRows === undefined ? {} : { id: forRows, hidden: true }
  return (
    <form method="post" action={action} novalidate data-confirm={confirm} {...shared}>
      <input type="hidden" name={csrfField} value={token} />
      {singleSubmit && <input type="hidden" name={singleSubmitField} value={crypto.randomUUID()} />}
      <Submitted.Provider value={useSubmitted(only)}>{children}</Submitted.Provider>
    </form>
  )
}

/** The problem of the form as a whole, shown above its fields. */
export function Problem() {
  const { problem } = useSubmitted()
  if (!problem) return null
  return (
    <p class="problem" role="alert">
      {problem}
    </p>
  )
}

interface FieldProps {
  name: string
  label: string
  /** Initial value, shown until a submitted value replaces it. */
  value?: string | undefined
  /** Of another name than the field's. */
  problem?: string | undefined
  hint?: string | undefined
  type?: "text" | "email" | "password" | "url" | "number" | "search" | "date" | "color"
  autocomplete?: string
  optional?: boolean
  /** Number of lines of a text area. Without it the field is a single-line input. */
  rows?: number
  /** Prefix of the id, for a page with several forms that share field names. */
  prefix?: string
}

/** A labelled field with its hint, its problem and the submitted value. A password is never shown again. */
export function Field(props: FieldProps) {
  const { name, label, hint, type = "text", rows, optional, prefix = "" } = props
  const submitted = useSubmitted()
  const id = `${prefix}${name}`
  const problem = submitted.problems[name] ?? props.problem
  const value = type === "password" ? "" : (submitted.values.get(name) ?? props.value ?? "")
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  const attributes = {
    id,
    name,
    "aria-invalid": problem ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
    autocomplete: props.autocomplete,
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="hint"> ({messages.optional})</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {rows === undefined ? (
        <input {...({ ...attributes, type, value } as object)} />
      ) : (
        // Browsers drop the first line break of a textarea. This one protects a break that starts the value.
        <textarea {...attributes} rows={rows}>{`\n${value}`}</textarea>
      )}
      {problem && (
        <p class="wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  /** Of another name than the field's. */
  problem?: string | undefined
  hint?: string | undefined
  /** `parts`: words that rules of style ask for. */
  choices: readonly (readonly [value: string, label: string, parts?: string])[]
}

/** A labelled select. */
export function Choice({ name, label, value, hint, choices, ...props }: ChoiceProps) {
  const submitted = useSubmitted()
  const chosen = submitted.values.get(name) ?? value
  const problem = submitted.problems[name] ?? props.problem
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(" ")
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <select
        id={name}
        name={name}
        aria-invalid={problem ? "true" : undefined}
        aria-describedby={described || undefined}
      >
        {choices.map(([each, text, parts]) => (
          <option key={each} value={each} data-parts={parts} selected={each === chosen}>
            {text}
          </option>
        ))}
      </select>
      {problem && (
        <p class="wrong" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** Text to copy. The page's script shows the copy button. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure class="snippet">
      <figcaption>{label}</figcaption>
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" class="quiet" hidden data-copy data-copied={messages.copied}>
        {messages.copy}
      </button>
    </figure>
  )
}
