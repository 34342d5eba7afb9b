/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { consentTextHash, namesOtherText } from "../../forms/definition/consent-text.ts"
import { type Field, splitChoices } from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"
import { checkedValue } from "../../forms/submission/value.ts"
import { fieldFaces } from "../../wording/field-faces.fr.ts"
import { words } from "../words.fr.ts"
import { Control } from "./control.tsx"

/** Contents of a form that is shown again. */
export interface HostedFormState {
  values: Record<string, string>
  problems: Record<string, string>
  /** Value that the consent box sent; null when it was not checked. */
  consent: string | null
  /** Names and values of hidden inputs. */
  hidden: [name: string, value: string][]
  /** Where the form would be refused again, it has no button. */
  mayBeSent: boolean
}

export const emptyState: HostedFormState = {
  values: {},
  problems: {},
  consent: null,
  hidden: [],
  mayBeSent: true,
}

/**
 * The form as HTML, and nothing around it: for a page to copy, on its own page, or shown again with its values
 * and problems. `form.css` gives it its look.
 */
export function FormMarkup({ form, action, state }: { form: Form; action?: string; state: HostedFormState }) {
  const isAnyRequired = form.fields.some(
    ({ required, type }) => required && fieldFaces[type].control !== "hidden",
  )
  return (
    <form class="guichet-form" {...(action !== undefined && { action })} method="post" accept-charset="utf-8">
      {state.hidden.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {isAnyRequired && (
        <p class="guichet-legend">
          {words.requiredBefore}
          <span class="guichet-required">*</span>
          {words.requiredAfter}
        </p>
      )}
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
          <label class="guichet-box">
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
          {words.trap} <input name="guichet_trap" tabindex={-1} autocomplete="off" />
        </label>
      </p>
      {state.mayBeSent && (
        <p>
          <button type="submit">{form.button ?? words.send}</button>
        </p>
      )}
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
  const { name, label, required, help } = field
  const { control } = fieldFaces[field.type]
  const described = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(" ")
  const state = {
    ...(described && { "aria-describedby": described }),
    ...(problem && { "aria-invalid": "true" as const }),
  }
  const common = { name, required, ...state }
  const hint = help && (
    <span class="guichet-help" id={`${id}-help`}>
      {help}
    </span>
  )
  const note = <Problem id={id} problem={problem} />
  const mark = required && <Mark isSaid={control === "boxes"} />
  switch (control) {
    case "hidden":
      return (
        <>
          <input type="hidden" name={name} value={value} />
          {problem && <p>{`${label} – ${problem}`}</p>}
        </>
      )
    case "box":
      return (
        <p>
          <label class="guichet-box">
            <input type="checkbox" value={checkedValue} checked={value === checkedValue} {...common} />{" "}
            <span>
              {label}
              {mark}
            </span>
          </label>
          {hint}
          {note}
        </p>
      )
    case "radios":
      return <Group field={field} parts={{ mark, hint, note }} chosen={[value]} attributes={common} />
    case "boxes":
      // `required` would ask for each box of the group. The service asks for one of them.
      return (
        <Group
          field={field}
          parts={{ mark, hint, note }}
          chosen={splitChoices(value)}
          attributes={{ name, ...state }}
        />
      )
    default:
      return (
        <p>
          <label for={id}>
            {label}
            {mark}
          </label>
          {hint}
          <Control field={field} value={value} attributes={{ id, ...common }} />
          {note}
        </p>
      )
  }
}

interface GroupProps {
  field: Field
  parts: Record<"mark" | "hint" | "note", ComponentChildren>
  /** Values of the chosen options. */
  chosen: readonly string[]
  /** Attributes of each input. */
  attributes: object
}

function Group({ field, parts, chosen, attributes }: GroupProps) {
  const type = fieldFaces[field.type].control === "radios" ? "radio" : "checkbox"
  return (
    <fieldset>
      <legend>
        {field.label}
        {parts.mark}
      </legend>
      {parts.hint}
      {field.options.map(({ value, label }) => (
        <label key={value} class="guichet-box">
          <input type={type} value={value} checked={chosen.includes(value)} {...attributes} />{" "}
          <span>{label}</span>
        </label>
      ))}
      {parts.note}
    </fieldset>
  )
}

/** The mark of a required field. Where no attribute says so, screen readers read it. */
function Mark({ isSaid }: { isSaid: boolean }) {
  return (
    <span class="guichet-required" aria-hidden={isSaid ? undefined : "true"}>
      {"\u00a0*"}
    </span>
  )
}

/** `id` is the field's. */
function Problem({ id, problem }: { id: string; problem: string | undefined }): ComponentChildren {
  if (!problem) return null
  return (
    <span class="guichet-problem" id={`${id}-problem`}>
      {problem}
    </span>
  )
}
