/** @jsxImportSource preact */
import { Field } from "../kit/forms/fields.tsx"
import { type FilterName, filterNames } from "./delivery-search.ts"
import { words } from "./endpoints.fr.ts"
import { words as webhooksWords } from "./words.fr.ts"

type Choices = readonly (readonly [value: string, label: string])[]

interface FilterProps {
  /** The address of the page. */
  action: string
  query: Record<string, string | undefined>
  forms: Choices
  /** Undefined on the page of one endpoint. */
  endpoints: Choices | undefined
}

export function DeliveryFilter({ action, query, forms, endpoints }: FilterProps) {
  const { filter } = words
  const result = query["result"] ?? ""
  const exact: Choices = /^[1-5]\d\d$/.test(result) ? [[result, words.exactly(result)]] : []
  const lists: [name: FilterName, label: string, any: string, choices: Choices][] = [
    ...(endpoints ? [["endpoint", filter.endpoint, filter.anyEndpoint, endpoints] as const] : []),
    ["form", filter.form, filter.any, forms],
    ["state", filter.state, filter.any, Object.entries(webhooksWords.states)],
    ["result", filter.result, filter.any, [...exact, ...Object.entries(words.results)]],
    // Written out: keys that are numbers lose their order.
    ["period", filter.period, words.periods[30], ["1", "7"].map((days) => [days, periodOf(days)] as const)],
  ] as [FilterName, string, string, Choices][]
  return (
    <form method="get" action={action} class="filter" data-at-once>
      <div class="row">
        <Field name="q" type="search" label={filter.text} value={query["q"]} />
        <button type="submit" class="quiet">
          {filter.show}
        </button>
        {filterNames.some((name) => query[name]) && (
          <a class="button quiet" href={action}>
            {filter.reset}
          </a>
        )}
      </div>
      <details class="fold" open={lists.some(([name]) => query[name])}>
        <summary>{filter.title}</summary>
        <div class="row">
          {lists.map(([name, label, any, choices]) => (
            <Field
              key={name}
              name={name}
              label={label}
              value={query[name] ?? ""}
              choices={[["", any], ...choices]}
            />
          ))}
        </div>
      </details>
    </form>
  )
}

function periodOf(days: string): string {
  return words.periods[days as keyof typeof words.periods]
}
