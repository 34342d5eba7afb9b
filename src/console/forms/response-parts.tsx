/** @jsxImportSource preact */
import type { Form as FormOf } from "../../forms/definition/form.ts"
import type { FormResponse } from "../../forms/responses/form-response.ts"
import { Form } from "../kit/fields.tsx"
import type { Visit } from "../kit/page-context.ts"
import { Tag } from "../kit/parts.tsx"
import { messages } from "../messages/forms.fr.ts"
import { addressOf } from "./one-form.tsx"

/** What was typed, by label; fields that the form has no more keep their variable name. */
export function Values({ form, values }: { form: FormOf | undefined; values: Record<string, string> }) {
  const fields = new Map(form?.fields.map((field) => [field.name, field]))
  return (
    <dl class="facts">
      {Object.entries(values).map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{fields.get(name)?.label ?? name}</dt>
          <dd class="lines">
            {value === "" ? (
              <span class="hint">{messages.noValue}</span>
            ) : (
              (fields.get(name)?.options.find((option) => option.value === value)?.label ?? value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function ConsentTag({ consent }: { consent: { status: "pending" | "confirmed" } | null }) {
  if (!consent) return <Tag mood="plain">{messages.consents.none}</Tag>
  return (
    <Tag mood={consent.status === "confirmed" ? "good" : "warn"}>
      {`${messages.consent} ${messages.consentState[consent.status]}`}
    </Tag>
  )
}

interface ActionsProps {
  visit: Visit
  form: FormOf
  response: FormResponse
  /** The query of the list to come back to. */
  back: string
}

export function Actions({ visit, form, response, back }: ActionsProps) {
  const address = `${addressOf(form)}/responses/${response.id}`
  return (
    <div class="actions">
      {response.state !== "received" && (
        <Form visit={visit} action={`${address}/acceptance?${back}`}>
          <button type="submit">{messages.accept}</button>
        </Form>
      )}
      <Form visit={visit} action={`${address}/erasure?${back}`} confirm={messages.eraseConfirm}>
        <button type="submit" class="quiet">
          {messages.erase}
        </button>
      </Form>
    </div>
  )
}
