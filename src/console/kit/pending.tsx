/** @jsxImportSource preact */

import { messages } from "../messages/sign-in.fr.ts"
import { Form } from "./fields.tsx"
import { forgeryField, workspaceOfToken } from "./forgery.ts"
import { type Filled, untouched, valuesIn } from "./form.ts"
import { plainPage } from "./shell.tsx"

/**
 * A form that was sent when the session had ended: it waits until somebody has signed in, so that nothing
 * typed is lost.
 */
interface Pending {
  path: string
  /** It is sent to this workspace or to none. */
  workspaceId: string
  values: URLSearchParams
}

/** What the sign-in page carries of it; undefined when nothing was typed. A password is typed again. */
export function pendingFilled(path: string, values: URLSearchParams): Filled | undefined {
  const kept = [...values].filter(([name]) => name !== forgeryField && !name.includes("password"))
  if (kept.length === 0) return undefined
  const pending = new URLSearchParams(kept).toString()
  return {
    ...untouched,
    values: new URLSearchParams({
      pending_path: path,
      pending_workspace: workspaceOfToken(values.get(forgeryField) ?? ""),
      pending,
    }),
    problem: messages.expired,
  }
}

/** Throws Refusal `invalid_request` for what no form of ours sends. */
export function pendingIn(values: URLSearchParams): Pending | undefined {
  const path = values.get("pending_path") ?? ""
  if (!/^\/console\/[\w/-]+$/.test(path)) return undefined
  const workspaceId = values.get("pending_workspace") ?? ""
  return { path, workspaceId, values: valuesIn(values.get("pending") ?? "") }
}

/** Sends it by a button alone: minutes or days may have passed. */
export function pendingPage({ path, values }: Pending, token: string, headers: [string, string][]): Response {
  const action = messages.graveActions[path.split("/").at(-1) ?? ""]
  return plainPage(
    { title: messages.pendingTitle, headers },
    <Form visit={{ token }} action={path} confirm={action && messages.pendingGrave}>
      <p>{messages.pending}</p>
      {action && (
        <p class="notice">
          {messages.pendingAction(action)} {messages.pendingGrave}
        </p>
      )}
      {[...values].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p class="row">
        <button type="submit" class={action && "grave"}>
          {messages.sendPending}
        </button>
        <a href="/console">{messages.dropPending}</a>
      </p>
    </Form>,
  )
}

/** It is sent to no other workspace than the one it was typed for, and is not lost either. */
export function strayPage({ values }: Pending, headers: [string, string][]): Response {
  const typed = [...values].filter(([name, value]) => !name.startsWith("guichet_") && value.trim() !== "")
  return plainPage(
    { title: messages.pendingTitle, headers },
    <>
      <p class="notice">{messages.stray}</p>
      <dl class="facts">
        {typed.map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd class="lines">{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a class="button" href="/console">
          {messages.goOn}
        </a>
      </p>
    </>,
  )
}
