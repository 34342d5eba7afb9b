/** @jsxImportSource preact */
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { sentences } from "../sentences/shell.ts"
import type { Visit } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"

/** Says why there is nothing else to see. */
export function refusedPage({ code, sentence }: Refusal, visit: Visit | undefined): Response {
  const status = statusOfCode[code]
  const title = sentences.refusedTitle
  const body = (
    <>
      <p role="alert">{sentence}</p>
      <p>
        <a href="/console">{sentences.home}</a>
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
