/** @jsxImportSource preact */
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"
import { Form } from "./forms/fields.tsx"
import { switchTo } from "./navigation.tsx"
import type { PageContext } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"

/**
 * The page of a refusal, with the navigation if the operator is signed in. `elsewhere`: the workspace of the operator
 * that the page belongs to, which is one click away.
 */
export function refusedPage(
  { code, detail }: Refusal,
  context: PageContext | undefined,
  elsewhere?: { id: string; name: string },
): Response {
  const status = statusOfCode[code]
  if (context && elsewhere) {
    const { pathname, search } = new URL(context.request.url)
    return page(
      context,
      { title: messages.elsewhereTitle, status, current: "none" },
      <>
        <h1>{messages.elsewhereTitle}</h1>
        <p role="alert">{messages.elsewhere(elsewhere.name, context.session.workspace.name)}</p>
        <Form context={context} action={switchTo(encodeURIComponent(pathname + search))}>
          <input type="hidden" name="workspace" value={elsewhere.id} />
          <button type="submit">{messages.goElsewhere(elsewhere.name)}</button>
        </Form>
      </>,
    )
  }
  const title = messages.refusedTitle
  const body = (
    <>
      <p role="alert">{userMessage(detail)}</p>
      <p>
        <a href="/console">{messages.toHome}</a>
      </p>
    </>
  )
  if (!context) return plainPage({ title, status }, body)
  return page(
    context,
    { title, status, current: "none" },
    <>
      <h1>{title}</h1>
      {body}
    </>,
  )
}
