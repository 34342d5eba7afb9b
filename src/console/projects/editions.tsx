import type { Project } from "../../accounts/project.ts"
import { editionLimits } from "../../accounts/projects/editions.ts"
import { Field } from "../kit/forms/fields.tsx"
import { words } from "./editions.fr.ts"

/** Rows that are empty, for further editions. */
const emptyRows = 2
const parts = ["name", "label", "rule"] as const

/** The versions and languages of the documentation, a row each; the first is the default. */
export function EditionFields({ project: { editions, editionFallback } }: { project: Project }) {
  const rows = Math.min(editions.length + emptyRows, editionLimits.editions)
  return (
    <>
      <h2>{words.editions}</h2>
      <p class="hint">{words.editionsHint}</p>
      <p class="hint">{words.rules}</p>
      {Array.from({ length: rows }, (_, at) => (
        <fieldset key={at}>
          <legend>{words.row(at + 1)}</legend>
          <div class="pair">
            {parts.map((part) => (
              <Field
                key={part}
                name={`editions.${at}.${part}`}
                label={words[part]}
                value={editions[at]?.[part] ?? ""}
                optional
              />
            ))}
          </div>
        </fieldset>
      ))}
      <p class="hint">{words.more}</p>
      <Field name="edition_fallback" type="box" {...words.fallback} checked={editionFallback} />
    </>
  )
}

export function editionsIn(values: URLSearchParams) {
  const rows = Array.from({ length: editionLimits.editions }, (_, at) => {
    const [name, label, rule] = parts.map((part) => values.get(`editions.${at}.${part}`)?.trim() ?? "")
    return { name, label, rule }
  })
  const editions = rows.filter((row) => parts.some((part) => row[part]))
  return { editions, edition_fallback: values.has("edition_fallback") }
}
