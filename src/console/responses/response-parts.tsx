import { shownValue } from "../../forms/definition/field.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import type { ResponseFile } from "../../forms/responses/response-files.ts"
import { Facts, Tag } from "../kit/components.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

interface ValuesProps {
  form: FormOf | undefined
  values: Record<string, string>
  /** The kept files, and the address below which each is downloaded. */
  files?: { list: readonly ResponseFile[]; at: string }
}

/** The values of a response by label, or by variable name if the field was removed from the form. */
export function Values({ form, values, files }: ValuesProps) {
  const fields = new Map(form?.fields.map((field) => [field.name, field]))
  const facts = Object.entries(values).map(([name, value]) => {
    const field = fields.get(name)
    const shown =
      value === "" ? (
        <span class="hint">{words.nothing}</span>
      ) : files && field?.type === "file" ? (
        <FileLinks of={files.list.filter(({ field }) => field === name)} at={files.at} names={value} />
      ) : (
        shownValue(field ?? { type: "text", options: [] }, value)
      )
    return [field?.label ?? name, shown] as const
  })
  return <Facts of={facts} areTyped />
}

/** `names`: names of the sent files, which is all that an unwanted response keeps of them. */
function FileLinks({ of, at, names }: { of: readonly ResponseFile[]; at: string; names: string }) {
  if (of.length === 0)
    return (
      <>
        {names} <span class="hint">{words.filesNotKept}</span>
      </>
    )
  return (
    <>
      {of.map(({ id, name, bytes }) => (
        <div key={id}>
          <a href={`${at}/${id}`} download={name}>
            {name}
          </a>{" "}
          <span class="hint">{commonWords.fileSize(bytes)}</span>
        </div>
      ))}
    </>
  )
}

export function ConsentTag({ consent }: { consent: { status: "pending" | "confirmed" } | null }) {
  if (!consent) return <Tag mood="plain">{words.consents.none}</Tag>
  return (
    <Tag mood={consent.status === "confirmed" ? "good" : "warn"}>
      {`${words.consent} ${words.consentState[consent.status]}`}
    </Tag>
  )
}

/** The question that a visitor had asked before writing. It may be purged before the response is. */
export function Origin({ question, href }: { question: string | undefined; href?: string }) {
  if (question === undefined) return <p class="hint">{words.questionGone}</p>
  const quoted = <q>{question}</q>
  return (
    <p class="hint">
      {words.fromQuestion}
      {"\u00a0: "}
      {href ? <a href={href}>{quoted}</a> : quoted}
    </p>
  )
}
