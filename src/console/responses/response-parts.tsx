/** @jsxImportSource preact */
import { questionsOf } from "../../assistant/insights/asked-questions.ts"
import type { Db } from "../../db/connection.ts"
import { shownValue } from "../../forms/definition/field.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import type { FormResponse } from "../../forms/responses/form-response.ts"
import { addressOf } from "../forms/one-form.tsx"
import { Tag } from "../kit/components.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { words } from "./words.fr.ts"

/** The values of a response by label, or by variable name if the field was removed from the form. */
export function Values({ form, values }: { form: FormOf | undefined; values: Record<string, string> }) {
  const fields = new Map(form?.fields.map((field) => [field.name, field]))
  return (
    <dl class="facts values">
      {Object.entries(values).map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{fields.get(name)?.label ?? name}</dt>
          <dd class="lines">
            {value === "" ? (
              <span class="hint">{words.noValue}</span>
            ) : (
              shownValue(fields.get(name) ?? { type: "text", options: [] }, value)
            )}
          </dd>
        </div>
      ))}
    </dl>
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
export function Origin({ question }: { question: string | undefined }) {
  if (question === undefined) return <p class="hint">{words.questionGone}</p>
  return (
    <p class="hint">
      {words.fromQuestion}
      {"\u00a0: "}
      <q>{question}</q>
    </p>
  )
}

/** The questions behind these responses, by the id of their answers. */
export async function questionsBehind(
  db: Db,
  projectId: string,
  responses: readonly FormResponse[],
): Promise<Map<string, string>> {
  return questionsOf(
    db,
    projectId,
    responses.flatMap(({ answerId }) => (answerId === null ? [] : [answerId])),
  )
}

interface ActionsProps {
  form: FormOf
  response: FormResponse
  /** Query of the list to return to. */
  back: string
}

export function Actions({ form, response, back }: ActionsProps) {
  const address = `${addressOf(form)}/responses/${response.id}`
  return (
    <>
      {response.state !== "received" && <Form action={`${address}/acceptance?${back}`} send={words.accept} />}
      {response.state === "received" && (
        <Form action={`${address}/unread?${back}`} send={words.markUnread} look="quiet" />
      )}
      <Form action={`${address}/erasure?${back}`} confirm={words.eraseConfirm}>
        <button type="submit" class="quiet grave">
          {words.erase}
        </button>
      </Form>
    </>
  )
}
