/** @jsxImportSource preact */

import { Refusal } from "../../base/errors.ts"
import type { NamedForm } from "../../forms/definition/form.ts"
import { filterOf } from "../../forms/responses/filter.ts"
import type { ResponseFilter } from "../../forms/responses/list-responses.ts"
import { responseQuery } from "../../forms/responses/record.ts"
import { queryOf } from "../../http/record/fields.ts"
import { dayStartMs } from "../kit/dates.tsx"
import { Field } from "../kit/forms/fields.tsx"
import { refused, type SubmittedForm, untouched } from "../kit/forms/submitted-form.ts"
import { type PageContext, useSubmitted } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

const filters = ["form", "state", "consent", "unread", "since", "search"] as const
/** Query parameters that restore the operator's place in the list. */
export const listParams = [...filters, "cursor"] as const

/** The query of the page's address, reduced to that of the list and extended by `more`. */
export function listQuery(
  { query }: Pick<PageContext, "query">,
  more: Record<string, string> = {},
  names: readonly string[] = listParams,
): string {
  const held = names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))
  return new URLSearchParams([...held, ...Object.entries(more)]).toString()
}

export function filterQuery(context: Pick<PageContext, "query">): string {
  return listQuery(context, {}, filters)
}

/** Reads the filter from the query. `since` is a day that starts at midnight in the owner's time zone. */
export function filterOfQuery(query: Record<string, string | undefined>, timezone: string): ResponseFilter {
  // The page's filter form sends empty fields too. They do not filter.
  const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))
  const { since, unread, ...rest } = filled
  const read = queryOf(rest, responseQuery)
  const filter = filterOf(since ? { ...read, since: dayStartMs(since, timezone) } : read)
  return unread === "yes" ? { ...filter, isUnread: true } : filter
}

/** Like `filterOfQuery`, but an invalid filter becomes a problem of its field. */
export function filterIn(
  { query }: Pick<PageContext, "query">,
  timezone: string,
): { filter: ResponseFilter | undefined; submitted: SubmittedForm } {
  const params = Object.fromEntries(filters.map((name) => [name, query[name] ?? ""]))
  const values = new URLSearchParams(params)
  try {
    return { filter: filterOfQuery(params, timezone), submitted: { ...untouched, values } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { filter: undefined, submitted: { ...refused(values, error), problem: undefined } }
  }
}

interface FilterProps {
  action: string
  hasConsent: boolean
  /** The forms to choose from; absent where the page is about one. */
  forms?: readonly NamedForm[]
}

export function Filter({ action, hasConsent, forms = [] }: FilterProps) {
  const submitted = useSubmitted()
  const isFurther = ["unread", "consent", "since"].some((name) => submitted.values.get(name))
  return (
    <form method="get" action={action} class="filter" data-at-once>
      <div class="row">
        <Field name="search" type="search" label={words.search} />
        {forms.length > 1 && (
          <Field
            name="form"
            label={words.form}
            value=""
            choices={[["", words.everyForm], ...forms.map(({ id, name }) => [id, name] as const)]}
          />
        )}
        <Field name="state" label={words.state} value="received" choices={Object.entries(words.states)} />
        <button type="submit" class="quiet">
          {words.show}
        </button>
      </div>
      <details class="further" open={isFurther}>
        <summary>{words.further}</summary>
        <div class="row">
          <Field name="unread" label={words.reading} value="" choices={Object.entries(words.readings)} />
          {hasConsent && (
            <Field
              name="consent"
              label={words.consentFilter}
              value=""
              choices={Object.entries(words.consents)}
            />
          )}
          <Field name="since" type="date" label={words.since} />
        </div>
      </details>
    </form>
  )
}
