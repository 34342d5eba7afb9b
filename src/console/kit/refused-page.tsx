/** @jsxImportSource preact */
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"
import type { Visit } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"

/** Says why there is nothing else to see. */
export function refusedPage({ code, detail }: Refusal, visit: Visit | undefined): Response {
  const status = statusOfCode[code]
  const title = messages.refusedTitle
  const body = (
    <>
      <p role="alert">{userMessage(detail)}</p>
      <p>
        <a href="/console">{messages.home}</a>
      </p>
    </>
  )
  if (!visit) return plainPage({ title, status }, body)
  return page(
    visit,
    { title, status, current: "none" },
    <>
      <h1>{title}</h1>
      {body}
    </>,
  )
}
