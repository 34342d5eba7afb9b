import type { ComponentChildren } from "preact"
import { addressWith, LinkButton } from "../components.tsx"
import { Submitted, usePage } from "../page-context.ts"
import { words } from "../words.fr.ts"
import { type FieldProps, Fields } from "./fields.tsx"
import { untouched } from "./submitted-form.ts"

interface FilterProps {
  action: string
  fields: readonly FieldProps[]
  /** Fields that are folded away unless one of them filters. */
  further?: { title: string; fields: readonly FieldProps[] }
  /** Other parameters of the page, which the form keeps. */
  kept?: Record<string, string | undefined>
  show?: string
  /** Applies on change where scripts run; the button serves browsers without. */
  isAtOnce?: boolean
  reset?: string
  children?: ComponentChildren
}

/** The filter of a list, kept in the page's address. A field shows its parameter, unless it is given a value. */
export function Filter(props: FilterProps) {
  const { action, fields, further, kept = {}, show = words.show, isAtOnce = false, reset } = props
  const { query } = usePage()
  const isSet = ({ name }: FieldProps) => Boolean(query[name])
  return (
    <form method="get" action={action} class="filter" data-at-once>
      <Submitted.Provider value={untouched}>
        {Object.entries(kept).map(
          ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <div class="row">
          <Fields of={fields.map((field) => valued(field, query))} />
          <button type="submit" class="quiet" data-without-script={isAtOnce ? "" : undefined}>
            {show}
          </button>
          {reset && [...fields, ...(further?.fields ?? [])].some(isSet) && (
            <LinkButton href={addressWith(action, kept)} label={reset} />
          )}
          {props.children}
        </div>
        {further && (
          <details class="fold" open={further.fields.some(isSet)}>
            <summary>{further.title}</summary>
            <div class="row">
              <Fields of={further.fields.map((field) => valued(field, query))} />
            </div>
          </details>
        )}
      </Submitted.Provider>
    </form>
  )
}

/** A select shows a parameter only if it is one of its choices: an address may have been typed. */
function valued(field: FieldProps, query: Record<string, string | undefined>): FieldProps {
  const { name, choices, value } = field
  const typed = query[name]
  const isKnown = choices === undefined || choices.some(([each]) => each === typed)
  return { ...field, value: value ?? (isKnown ? typed : undefined) }
}

/** People that a filter of a list offers: a page with every member of a large workspace would be heavy. */
const maxOffered = 50

/** Names by id as choices of a filter: the first of many, and the one that is chosen. */
export function offeredPeople(
  people: Iterable<readonly [id: string, name: string]>,
  chosen: string | undefined,
): (readonly [id: string, name: string])[] {
  return [...people].filter(([id], place) => place < maxOffered || id === chosen)
}
