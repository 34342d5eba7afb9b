/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { messages } from "../messages/shell.fr.ts"
import { forgeryField } from "./forgery.ts"
import type { Filled } from "./form.ts"
import { onceField } from "./once.ts"
import type { Visit } from "./page-context.ts"

interface FormProps {
  visit: Pick<Visit, "token">
  action: string
  /** Asked before it is sent, where scripts run. */
  confirm?: string | undefined
  /** Sent a second time, by a page that is called up again, it does nothing. */
  once?: boolean
  children: ComponentChildren
}

/**
 * A form of the console, with the token that shows it is ours. Nothing is checked by the browser: our
 * sentences say it better.
 */
export function Form({ visit, action, confirm, once = false, children }: FormProps) {
  return (
    <form method="post" action={action} novalidate data-confirm={confirm}>
      <input type="hidden" name={forgeryField} value={visit.token} />
      {once && <input type="hidden" name={onceField} value={crypto.randomUUID()} />}
      {children}
    </form>
  )
}

/** What is wrong with a form as a whole, above its fields. */
export function Problem({ filled }: { filled: Filled }) {
  if (!filled.problem) return null
  return (
    <p class="problem" role="alert">
      {filled.problem}
    </p>
  )
}

interface FieldProps {
  filled: Filled
  name: string
  label: string
  /** What stands in the field while nothing was typed. */
  value?: string | undefined
  hint?: string | undefined
  type?: "text" | "email" | "password" | "url" | "number" | "search" | "date"
  autocomplete?: string
  optional?: boolean
  /** Lines of a text area; without it, one line. */
  rows?: number
  /** Before the field of several forms of a page that share names. */
  prefix?: string
}

/** A labelled field with its hint and what is wrong with it; it shows again what was typed. */
export function Field(props: FieldProps) {
  const { filled, name, label, hint, type = "text", rows, optional, prefix = "" } = props
  const id = `${prefix}${name}`
  const problem = filled.problems[name]
  const value = type === "password" ? "" : (filled.values.get(name) ?? props.value ?? "")
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
        // A browser drops the first line break of a textarea: this one.
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
  filled: Filled
  name: string
  label: string
  value: string
  hint?: string | undefined
  choices: readonly (readonly [value: string, label: string])[]
}

/** One of a few values. */
export function Choice({ filled, name, label, value, hint, choices }: ChoiceProps) {
  const chosen = filled.values.get(name) ?? value
  const problem = filled.problems[name]
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
        {choices.map(([each, text]) => (
          <option key={each} value={each} selected={each === chosen}>
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

/** Text to be copied elsewhere; the script adds a button that does so. */
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
