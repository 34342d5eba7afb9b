/** @jsxImportSource preact */
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"
import type { PageContext } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"

/** The page of a refusal, with the navigation if the operator is signed in. */
export function refusedPage({ code, detail }: Refusal, context: PageContext | undefined): Response {
  const status = statusOfCode[code]
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
