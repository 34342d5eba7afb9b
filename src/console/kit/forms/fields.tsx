import type { ComponentChildren } from "preact"
import { Labelled, notesOf } from "../../../style/labelled.tsx"
import { Submitted, usePage, useSubmitted } from "../page-context.ts"
import { csrfField } from "../session/csrf.ts"
import { words } from "../words.fr.ts"
import { singleSubmitField } from "./single-submit.ts"

export interface FormProps {
  action: string
  /** The CSRF token, where the page has no navigation. */
  token?: string
  /** On a page with several forms: shows the submitted state only if that has this field. */
  only?: string
  send?: string | undefined
  /** The button's name for those who hear the page, where what it shows does not tell it from others. */
  spoken?: string
  look?: "quiet" | "grave" | "quiet grave" | undefined
  /** Question asked before the form is sent, where scripts run. */
  confirm?: string | undefined
  /** Rejects a second submission of the same form (single-submit.ts). */
  singleSubmit?: boolean
  /**
   * Id of a form that the rows of a list share, each with a button that names it (`form=`): many rows with a form
   * each would make a heavy page. Such a form shows nothing itself.
   */
  forRows?: string
  sendsFiles?: boolean
  /** Attributes that a script of the page reads. */
  attributes?: object
  children?: ComponentChildren
}

/** A form with its CSRF token. The browser validates nothing (`novalidate`): our messages are clearer. */
export function Form(props: FormProps) {
  const { action, token = usePage().token, only, confirm, singleSubmit = false, forRows, send, look } = props
  const shared = forRows === undefined ? props.attributes : { id: forRows, hidden: true }
  return (
    <form
      method="post"
      action={action}
      enctype={props.sendsFiles ? "multipart/form-data" : undefined}
      novalidate
      data-confirm={confirm}
      {...shared}
    >
      <input type="hidden" name={csrfField} value={token} />
      {singleSubmit && <input type="hidden" name={singleSubmitField} value={crypto.randomUUID()} />}
      <Submitted.Provider value={useSubmitted(only)}>{props.children}</Submitted.Provider>
      {send && (
        <button type="submit" class={look} aria-label={props.spoken}>
          {send}
        </button>
      )}
    </form>
  )
}

export function Problem() {
  const { problem } = useSubmitted()
  if (!problem) return null
  return (
    <p class="problem" role="alert">
      {problem}
    </p>
  )
}

/** A field of a form: an input, a text area with `rows`, a select with `choices`, or a box to tick. */
export interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  type?:
    | "text"
    | "email"
    | "password"
    | "url"
    | "number"
    | "search"
    | "date"
    | "datetime-local"
    | "color"
    | "box"
  /** Shown until a submitted value replaces it. */
  value?: string | null | undefined
  checked?: boolean
  choices?: readonly (readonly [value: string, label: string, parts?: string])[]
  rows?: number
  optional?: boolean
  autocomplete?: string
  maxLength?: number
  /** Problem of another name than the field's. */
  problem?: string | undefined
  /** Prefix of the id, for a page with several forms that share field names. */
  prefix?: string
}

/** A labelled field with its hint, its problem and the submitted value. A password is never shown again. */
export function Field(props: FieldProps) {
  const { name, label, hint, type = "text", optional, prefix = "" } = props
  const { values, problems } = useSubmitted()
  const problem = problems[name] ?? props.problem
  const id = `${prefix}${name}`
  const isBox = type === "box"
  const checked = values.size === 0 ? props.checked : values.has(name)
  const value = type === "password" ? "" : (values.get(name) ?? props.value ?? "")
  const title = (
    <>
      {label}
      {!isBox && optional && <span class="hint"> ({words.optional})</span>}
    </>
  )
  return (
    <Labelled look={look} id={id} label={title} hint={hint} problem={problem} isBox={isBox}>
      {(aria) =>
        isBox ? (
          // An error at the top of the page links to it.
          <input type="checkbox" id={problem ? id : undefined} name={name} checked={checked} {...aria} />
        ) : (
          <Control {...props} type={type} value={value} attributes={{ id, name, ...aria }} />
        )
      }
    </Labelled>
  )
}

const look = {
  frame: "div",
  frameClass: "field",
  boxClass: "box",
  note: "p",
  hintClass: "hint",
  hintEnd: "hint",
  problemClass: "wrong",
} as const

type ControlProps = Pick<FieldProps, "choices" | "rows" | "autocomplete" | "maxLength"> & {
  type: string
  value: string
  attributes: object
}

function Control({ type, value, choices, rows, autocomplete, maxLength, attributes }: ControlProps) {
  if (choices)
    return (
      <select {...attributes}>
        {choices.map(([each, text, parts]) => (
          <option key={each} value={each} data-parts={parts} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    )
  // Browsers drop the first line break of a textarea. This one protects a break that starts the value.
  if (rows !== undefined) return <textarea {...attributes} rows={rows}>{`\n${value}`}</textarea>
  return <input {...({ ...attributes, autocomplete, type, value, maxLength } as object)} />
}

/** Files that a form sends. A browser shows none again. */
export function FileField({ name, label, hint, accept }: FieldProps & { accept: readonly string[] }) {
  const problem = useSubmitted().problems[name]
  const endings = accept.map((extension) => `.${extension}`).join(",")
  return (
    <Labelled look={look} id={name} label={label} hint={hint} problem={problem}>
      {(aria) => <input type="file" id={name} name={name} accept={endings} multiple {...aria} />}
    </Labelled>
  )
}

/** One box of several that share a name. */
export function Box({ children, ...attributes }: BoxProps) {
  return (
    <label class="box">
      <input type="checkbox" {...attributes} />
      <span>{children}</span>
    </label>
  )
}

interface BoxProps {
  name: string
  value: string
  checked: boolean
  children: ComponentChildren
}

/** The hint and the problem of a control that is not a `Field`. */
export function notesAt(id: string, hint: string, problem?: string) {
  return notesOf({ look, id, hint, problem })
}

export function Fields({ of }: { of: readonly FieldProps[] }) {
  return of.map((field) => <Field key={field.name} {...field} />)
}

/** Text to copy. The page's script shows the copy button. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure class="snippet">
      <figcaption>{label}</figcaption>
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" class="quiet" hidden data-copy data-copied={words.copied}>
        {words.copy}
      </button>
    </figure>
  )
}
