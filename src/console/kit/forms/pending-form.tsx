import { Facts, LinkButton } from "../components.tsx"
import { csrfField, workspaceOfToken } from "../session/csrf.ts"
import { words } from "../session/sign-in.fr.ts"
import { plainPage } from "../shell.tsx"
import { Form } from "./fields.tsx"
import { parseUrlencoded, type SubmittedForm, untouched } from "./submitted-form.ts"

/** A form submitted after the session had ended, carried through the sign-in page so that nothing is lost. */
interface PendingForm {
  path: string
  /** The workspace that the form was meant for. It is never submitted to another. */
  workspaceId: string
  values: URLSearchParams
}

/** The sign-in page's state with a pending form; undefined if nothing was typed. Leaves out passwords and tokens. */
export function pendingForm(path: string, values: URLSearchParams): SubmittedForm | undefined {
  const pairs = [...values].filter(([name]) => name !== csrfField && !/password|token/.test(name))
  if (pairs.length === 0) return undefined
  const pending = new URLSearchParams(pairs).toString()
  return {
    ...untouched,
    values: new URLSearchParams({
      pending_path: path,
      pending_workspace: workspaceOfToken(values.get(csrfField) ?? ""),
      pending,
    }),
    problem: words.expired,
    status: 401,
  }
}

/** The pending form that the sign-in page carries. Throws Refusal `invalid_request` for too many fields. */
export function pendingFormIn(values: URLSearchParams): PendingForm | undefined {
  const path = values.get("pending_path") ?? ""
  if (!/^\/console\/[\w/-]+$/.test(path)) return undefined
  const workspaceId = values.get("pending_workspace") ?? ""
  return { path, workspaceId, values: parseUrlencoded(values.get("pending") ?? "") }
}

/** Asks before the pending form is submitted, because minutes or days may have passed. */
export function pendingPage({ path, values }: PendingForm, token: string, headers: [string, string][]) {
  const action = words.graveActions[path.split("/").at(-1) ?? ""]
  return plainPage(
    { title: words.pendingTitle, headers },
    <Form token={token} action={path} confirm={action && words.pendingGrave}>
      <p>{words.pending}</p>
      {action && (
        <p class="notice">
          {words.pendingAction(action)} {words.pendingGrave}
        </p>
      )}
      {[...values].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p class="row">
        <button type="submit" class={action && "grave"}>
          {words.sendPending}
        </button>
        <a href="/console">{words.dropPending}</a>
      </p>
    </Form>,
  )
}

/** Shows the values of a form that was meant for another workspace, to copy them. It is not submitted. */
export function otherWorkspacePage({ values }: PendingForm, headers: [string, string][]): Response {
  const typed = [...values].filter(([name, value]) => !name.startsWith("guichet_") && value.trim() !== "")
  return plainPage(
    { title: words.pendingTitle, headers },
    <>
      <p class="notice">{words.stray}</p>
      <Facts of={typed} areTyped />
      <p>
        <LinkButton href="/console" label={words.goOn} isMain />
      </p>
    </>,
  )
}
