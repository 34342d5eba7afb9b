import { autocompleteOf } from "../../forms/definition/autocomplete.ts"
import { consentTextHash, namesOtherText } from "../../forms/definition/consent-text.ts"
import {
  type Condition,
  type Field,
  fileBounds,
  splitChoices,
  takesFiles,
} from "../../forms/definition/field.ts"
import { fieldRules } from "../../forms/definition/field-types.ts"
import type { Form } from "../../forms/definition/form.ts"
import { checkedValue } from "../../forms/submission/value.ts"
import { Labelled, notesOf } from "../../style/labelled.tsx"
import { fieldFaces } from "../../wording/field-faces.fr.ts"
import { periodsIn } from "../../wording/forms.fr.ts"
import { words } from "../words.fr.ts"
import { Control } from "./control.tsx"
import { shownFields, shownStep } from "./step.ts"

/** Contents of a form that is shown again. */
export interface HostedFormState {
  values: Record<string, string>
  problems: Record<string, string>
  /** Value that the consent box sent; null when it was not checked. */
  consent: string | null
  hidden: [name: string, value: string][]
  /** Place of the step that is shown, on a page of its own; undefined where the form is shown as a whole. */
  step?: number | undefined
  /** Names of the fields that are shown, where all of them would be too much; the page carries the others along. */
  only?: ReadonlySet<string>
  /** What was typed into the honeypot, which every step has. */
  trap?: string | undefined
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

/** form.css gives these their look. */
const look = {
  frame: "p",
  boxClass: "guichet-box",
  note: "span",
  hintClass: "guichet-help",
  hintEnd: "help",
  problemClass: "guichet-problem",
} as const

interface MarkupProps {
  form: Form
  action?: string
  state: HostedFormState
  /** The owner's, in which times are told. */
  timezone: string
}

/** The form alone: to copy, on its own page, or shown again. `form.css` gives it its look. */
export function FormMarkup({ form, action, state, timezone }: MarkupProps) {
  const { consent } = form
  const period = openPeriod(form, timezone)
  const step = shownStep(form, state)
  const { fields, carried } = shownFields(form, state)
  const isLast = step?.isLast ?? true
  const isAnyRequired = fields.some(({ required, type }) => required && fieldFaces[type].control !== "hidden")
  return (
    <form
      class="guichet-form"
      {...(action !== undefined && { action })}
      method="post"
      {...(takesFiles(form.fields) && { enctype: "multipart/form-data" })}
      accept-charset="utf-8"
    >
      {[...state.hidden, ...carried].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {step && (
        <>
          <input type="hidden" name="guichet_step" value={state.step} />
          {!isLast && state.consent !== null && <input type="hidden" name="consent" value={state.consent} />}
          <p class="guichet-legend">{step.progress}</p>
          {step.title && <h2>{step.title}</h2>}
          {isLast && !consent && fields.length === 0 && <p>{words.onlySend}</p>}
        </>
      )}
      {form.proofOfWork && (
        <noscript>
          <p class="guichet-problem">{words.needsScript}</p>
        </noscript>
      )}
      {period && <p class="guichet-legend">{period}</p>}
      {isAnyRequired && (
        <p class="guichet-legend">
          {words.requiredBefore}
          <span class="guichet-required">*</span>
          {words.requiredAfter}
        </p>
      )}
      {fields.map((field) => (
        <FieldMarkup
          key={field.name}
          id={elementId(form, field.name)}
          field={field}
          condition={whenSentence(field, form.fields)}
          autocomplete={autocompleteOf(field, form.fields)}
          value={ownValue(state.values, field.name) ?? ""}
          problem={ownValue(state.problems, field.name)}
        />
      ))}
      {consent && isLast && (
        <Labelled
          look={look}
          id={elementId(form, "consent")}
          label={consent.text}
          problem={state.problems["consent"]}
          isBox
        >
          {() => (
            <input
              type="checkbox"
              name="consent"
              value={consentTextHash(consent.text)}
              // A visitor who agreed to an older text is asked again.
              checked={state.consent !== null && !namesOtherText(state.consent, consent)}
            />
          )}
        </Labelled>
      )}
      {form.proofOfWork && isLast && <input type="hidden" name="guichet_proof" />}
      {/* A honeypot: only programs see it, and they fill in whatever they find. */}
      <p hidden>
        <label>
          {words.trap}{" "}
          <input name="guichet_trap" tabindex={-1} autocomplete="off" value={state.trap || undefined} />
        </label>
      </p>
      {state.mayBeSent && (
        <p class="guichet-buttons">
          {isLast ? (
            <button type="submit">{form.button ?? words.send}</button>
          ) : (
            <Go to="next" action={action} label={words.nextStep} />
          )}
          {step && !step.isFirst && <Go to="back" action={action} label={words.backStep} />}
        </p>
      )}
    </form>
  )
}

/** The scripts that a page with the form loads beside the helper. */
export function extraScripts({ fields, proofOfWork }: Form): string[] {
  return [...(fields.some(({ when }) => when) ? ["conditions"] : []), ...(proofOfWork ? ["proof"] : [])]
}

/** When the form takes responses, if that is limited: a page without a script cannot ask whether it does now. */
function openPeriod({ opensAt, closesAt }: Form, timeZone: string): string | undefined {
  const periods = periodsIn(timeZone)
  const from = opensAt === null ? undefined : periods.from(opensAt)
  const to = closesAt === null ? undefined : periods.until(closesAt)
  if (from !== undefined) return to === undefined ? words.openFrom({ from }) : words.openFromTo({ from, to })
  return to === undefined ? undefined : words.openTo({ to })
}

interface FieldProps {
  id: string
  field: Field
  /** Says when it is to be filled in, until a script shows it then alone. */
  condition: string | undefined
  autocomplete: string | undefined
  value: string
  problem: string | undefined
}

/** Reads own properties only: a field may be named `constructor`, which every object inherits. */
function ownValue(values: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Includes the form's id, because a page may show several forms with fields of the same name. */
function elementId({ publicId }: Form, name: string): string {
  return `field-${publicId}-${name}`
}

function FieldMarkup({ id, field, condition, autocomplete, value, problem }: FieldProps) {
  const { name, label, help, when } = field
  // A browser would ask for a field that is not to be filled in.
  const required = when ? { "aria-required": field.required || undefined } : { required: field.required }
  const frame = when && { "data-when": JSON.stringify(when) }
  const only = condition && <span class="guichet-help guichet-when"> {condition}</span>
  const { control } = fieldFaces[field.type]
  if (control === "hidden")
    return (
      <>
        <input type="hidden" name={name} value={value} />
        {problem && <p>{`${label} – ${problem}`}</p>}
      </>
    )
  if (control === "page")
    return (
      <p class="guichet-legend">
        <strong>{label}</strong>
      </p>
    )
  if (control === "text")
    return (
      <p class="guichet-text" {...frame}>
        {only}
        {label}
      </p>
    )
  const limits = control === "files" && words.filesHint(fileBounds(field))
  const noted = { look, id, hint: limits && help ? `${help} (${limits})` : limits || help, problem }
  const marked = (
    <>
      {label}
      {field.required && <Mark isSaid={control === "boxes" || (control === "radios" && !!when)} />}
      {only}
    </>
  )
  if (control === "radios" || control === "boxes") {
    const notes = notesOf(noted)
    const isOne = control === "radios"
    const chosen = new Set(isOne ? [value] : splitChoices(value))
    // `required` would ask for each box of the group. The service asks for one of them.
    const attributes = { name, required: isOne && !when && field.required, ...notes.aria }
    return (
      <fieldset {...frame}>
        <legend>{marked}</legend>
        {notes.hint}
        {field.options.map((option) => (
          <label key={option.value} class={look.boxClass}>
            <input
              type={isOne ? "radio" : "checkbox"}
              value={option.value}
              checked={chosen.has(option.value)}
              {...attributes}
            />{" "}
            <span>{option.label}</span>
          </label>
        ))}
        {notes.problem}
      </fieldset>
    )
  }
  const isBox = control === "box"
  return (
    <Labelled {...noted} label={marked} isBox={isBox} attributes={frame}>
      {(aria) => {
        const attributes = { name, ...required, ...(!isBox && { autocomplete }), ...aria }
        if (!isBox) return <Control field={field} value={value} attributes={{ id, ...attributes }} />
        return <input type="checkbox" value={checkedValue} checked={value === checkedValue} {...attributes} />
      }}
    </Labelled>
  )
}

interface GoProps {
  to: "next" | "back"
  action: string | undefined
  label: string
}

/** Its own address tells the helper to leave the way from step to step to the browser. */
function Go({ to, action, label }: GoProps) {
  const attributes = { name: "guichet_go", value: to, formaction: action ?? "" }
  return (
    <button
      type="submit"
      class={to === "back" ? "back" : undefined}
      formnovalidate={to === "back"}
      {...attributes}
    >
      {label}
    </button>
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

/** When a field is to be filled in, for visitors whose browser runs no script. */
function whenSentence({ when }: Field, fields: readonly Field[]): string | undefined {
  if (!when) return undefined
  const parts = when.conditions.flatMap((condition) => {
    const subject = fields.find(({ name }) => name === condition.field)
    return subject ? [conditionSentence(condition, subject)] : []
  })
  return words.onlyIf(parts, when.match)
}

function conditionSentence({ test, values }: Condition, { type, label, options }: Field): string {
  if (fieldRules[type].value === "box") return words.ifChecked({ label, isChecked: test !== "is_not" })
  if (test === "filled") return words.ifFilled({ label })
  const named = new Set(values)
  const chosen = options.filter(({ value }) => named.has(value)).map(({ label }) => label)
  const labels = options.length === 0 ? values : chosen
  return words.ifValue({ label, labels, isOne: test === "is" })
}
