import { Field, Problem } from "../forms/fields.tsx"
import type { SubmittedForm } from "../forms/submitted-form.ts"
import { plainPage } from "../shell.tsx"
import { PasskeyFields, PasskeyScript, passkeyForm } from "./passkey-form.tsx"
import { words } from "./sign-in.fr.ts"
import { Carried } from "./sign-in-page.tsx"

/** The page after the password. `submitted` carries the step; `passkeys`: how to ask for one, if there is any. */
export function secondStepPage(
  submitted: SubmittedForm,
  headers: [string, string][],
  passkeys: object | undefined,
): Response {
  return plainPage(
    { title: words.secondStepTitle, submitted, headers, head: <PasskeyScript /> },
    <>
      {passkeys && (
        <form method="post" action="/console/sign-in/passkey" {...passkeyForm("get", passkeys)}>
          <Carried names={["step"]} />
          <PasskeyFields send={words.stepByPasskey} />
        </form>
      )}
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
