import { useSubmitted } from "../page-context.ts"
import { words } from "../words.fr.ts"
import { Field } from "./fields.tsx"
import { filledLines } from "./input.ts"

interface OwnHeadersProps {
  headers: readonly { name: string }[]
  summary: string
  hint: string
  warning?: string
}

/** The owner's own headers, one a line, folded: most things have none. */
export function OwnHeaders({ headers, summary, hint, warning }: OwnHeadersProps) {
  const problem = firstProblem(useSubmitted().problems, "headers")
  return (
    <details class="options" open={headers.length > 0 || problem !== undefined}>
      <summary>{summary}</summary>
      {warning && <p class="notice">{warning}</p>}
      <Field
        name="headers"
        label={words.headersLabel}
        hint={`${hint} ${words.headersKept}`}
        rows={3}
        value={headers.map(({ name }) => `${name}:`).join("\n")}
        problem={problem}
        optional
      />
    </details>
  )
}

/** As an operation takes them; undefined for a form without the field. */
export function headersIn(values: URLSearchParams) {
  const text = values.get("headers")
  if (text === null) return undefined
  return filledLines(text).map((line) => {
    const [name = "", ...rest] = line.split(":")
    const value = rest.join(":").trim()
    return { name: name.trim(), ...(value !== "" && { value }) }
  })
}

export function firstProblem(problems: Readonly<Record<string, string>>, name: string): string | undefined {
  const path = Object.keys(problems).find((each) => each === name || each.startsWith(`${name}.`))
  return path === undefined ? undefined : problems[path]
}
