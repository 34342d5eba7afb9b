import type { FieldProps } from "../kit/forms/fields.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import { usePage } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

type Choices = readonly (readonly [value: string, label: string])[]

interface FilterProps {
  action: string
  forms: Choices
  endpoints: Choices | undefined
}

export function DeliveryFilter({ action, forms, endpoints }: FilterProps) {
  const { columns, filter, periods, results, states } = words
  const result = usePage().query["result"] ?? ""
  const exact: Choices = /^[1-5]\d\d$/.test(result) ? [[result, words.exactly(result)]] : []
  const choice = (name: string, label: string, choices: Choices, any = filter.any): FieldProps => ({
    name,
    label,
    choices: [["", any], ...choices],
  })
  const shorter = (["1", "7"] as const).map((days) => [days, periods[days]] as const)
  return (
    <Filter
      action={action}
      fields={[{ name: "q", type: "search", label: filter.text }]}
      show={filter.show}
      reset={filter.reset}
      further={{
        title: filter.title,
        fields: [
          ...(endpoints ? [choice("endpoint", columns.endpoint, endpoints, filter.anyEndpoint)] : []),
          choice("form", filter.form, forms),
          choice("type", words.testType, Object.entries(words.eventNames)),
          choice("state", columns.state, [["failing", words.failing], ...Object.entries(states)]),
          choice("result", columns.result, [...exact, ...Object.entries(results)]),
          choice("period", filter.period, shorter, periods[30]),
        ],
      }}
    />
  )
}
