/** @jsxImportSource preact */
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { Field } from "../kit/forms/fields.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

/** Demands of an application on its messages, folded: most have none. */
export function EndpointSettings({ endpoint }: { endpoint: Endpoint | undefined }) {
  return <Headers headers={endpoint?.headers ?? []} />
}

/** The fields of these settings as the operation takes them; of a form without them nothing is changed. */
export function settingsIn(values: URLSearchParams): Record<string, unknown> {
  return { headers: values.has("headers") ? headersIn(values.get("headers") ?? "") : undefined }
}

function Headers({ headers }: Pick<Endpoint, "headers">) {
  const problem = problemOf(useSubmitted().problems, "headers")
  return (
    <details class="options" open={headers.length > 0 || problem !== undefined}>
      <summary>{words.ownHeaders}</summary>
      <Field
        name="headers"
        label={words.headersLabel}
        hint={words.headersHint}
        rows={3}
        value={headers.map(({ name }) => `${name}:`).join("\n")}
        problem={problem}
        optional
      />
    </details>
  )
}

function headersIn(text: string) {
  const lines = text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "")
  return lines.map((line) => {
    const [name = "", ...rest] = line.split(":")
    const value = rest.join(":").trim()
    return { name: name.trim(), ...(value !== "" && { value }) }
  })
}

/** The first problem of a list, whichever of its items has it. */
function problemOf(problems: Readonly<Record<string, string>>, name: string): string | undefined {
  const path = Object.keys(problems).find((each) => each === name || each.startsWith(`${name}.`))
  return path === undefined ? undefined : problems[path]
}
