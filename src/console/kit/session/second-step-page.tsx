/** @jsxImportSource preact */

import { Field, Problem } from "../forms/fields.tsx"
import type { SubmittedForm } from "../forms/submitted-form.ts"
import { plainPage } from "../shell.tsx"
import { words } from "./sign-in.fr.ts"
import { Carried } from "./sign-in-page.tsx"

/** The page after the password of an account that has a second factor. `submitted` carries the step. */
export function secondStepPage(submitted: SubmittedForm, headers: [string, string][] = []): Response {
  return plainPage(
    { title: words.secondStepTitle, submitted, headers },
    <>
      <form method="post" action="/console/sign-in/second-step" novalidate>
        <Problem />
        <Carried names={["step"]} />
        <Field name="code" label={words.code} hint={words.codeHint} autocomplete="one-time-code" />
        <button type="submit">{words.goOn}</button>
      </form>
      <p class="hint">{words.codeLost}</p>
    </>,
  )
}
