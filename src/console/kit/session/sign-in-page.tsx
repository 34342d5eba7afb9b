import { requestOptions } from "../../../accounts/second-factor/relying-party.ts"
import type { Refusal } from "../../../base/errors.ts"
import { LinkButton } from "../components.tsx"
import type { ConsoleDeps } from "../console-deps.ts"
import { Field, Problem } from "../forms/fields.tsx"
import type { SubmittedForm } from "../forms/submitted-form.ts"
import { useSubmitted } from "../page-context.ts"
import { plainPage } from "../shell.tsx"
import { PasskeyFields, PasskeyScript, passkeyForm } from "./passkey-form.tsx"
import { words } from "./sign-in.fr.ts"

/** Carried unseen by the forms of the sign-in pages: the next address, and a pending form. */
const hiddenFields = ["next", "pending_path", "pending_workspace", "pending"]

/** `names`: what a form carries besides. */
export function Carried({ names = [] }: { names?: readonly string[] }) {
  const { values } = useSubmitted()
  return [...hiddenFields, ...names].map((name) => (
    <input key={name} type="hidden" name={name} value={values.get(name) ?? ""} />
  ))
}

export type SignInPage = (submitted: SubmittedForm, headers?: [string, string][], flash?: string) => Response

export const providerPath = "/console/sign-in/oidc"

/** `submitted` of the page may carry the next address and a pending form (pending-form.tsx). */
export function openSignInPage(deps: Pick<ConsoleDeps, "vault" | "clock" | "config">): SignInPage {
  const { publicUrl, passwordSignIn, oidc } = deps.config
  return (submitted, headers = [], flash) => {
    const options = passwordSignIn ? requestOptions(deps, undefined, deps.clock.now()) : undefined
    // The machine's owner may have given a password for a while.
    const hasPassword = passwordSignIn || submitted.values.has("password")
    return plainPage(
      { title: words.title, submitted, headers, flash, head: <PasskeyScript /> },
      <>
        {oidc && <ByProvider name={oidc.name} publicUrl={publicUrl} />}
        {hasPassword ? <ByPassword /> : <Problem />}
        {options && (
          <form method="post" action="/console/sign-in/passkey" {...passkeyForm("get", options)}>
            <Carried />
            <PasskeyFields send={words.signInByPasskey} />
          </form>
        )}
        {passwordSignIn && (
          <p class="hint">
            <a href="/console/password-reset">{words.forgotten}</a>
          </p>
        )}
      </>,
    )
  }
}

/** At the public address: the provider leads back to it, and the browser's cookie is of one host. */
function ByProvider({ name, publicUrl }: { name: string; publicUrl: string }) {
  const next = useSubmitted().values.get("next")
  const query = next ? `?next=${encodeURIComponent(next)}` : ""
  return (
    <p>
      <LinkButton href={`${publicUrl}${providerPath}${query}`} label={words.signInBy(name)} isMain />
    </p>
  )
}

function ByPassword() {
  return (
    <form method="post" action="/console/sign-in" novalidate>
      <Problem />
      <Carried />
      <Field name="email" type="email" label={words.email} autocomplete="username" />
      <Field name="password" type="password" label={words.password} autocomplete="current-password" />
      <button type="submit">{words.signIn}</button>
    </form>
  )
}

export function waitHeaders({ retryAfterSeconds }: Refusal): [string, string][] {
  return retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]]
}

/** Shown while the service has no operator. It explains how to create the first one. */
export function firstStartPage(): Response {
  return plainPage(
    { title: words.firstTitle },
    <>
      <p>{words.first}</p>
      <p>{words.firstLink}</p>
      <p>{words.firstCommand}</p>
      <pre>
        <code>{words.setupLinkCommand}</code>
      </pre>
      <p>{words.firstShell}</p>
      <pre>
        <code>{words.operatorCommand}</code>
      </pre>
    </>,
  )
}

export function NewPassword({ label = words.newPassword }: { label?: string }) {
  const rest = { type: "password", hint: words.passwordHint, autocomplete: "new-password" } as const
  return <Field name="password" label={label} {...rest} />
}

/** A browser that was left open is not to change how its operator signs in. */
export function PresentPassword({ label = words.presentPassword, prefix = "" }: PresentPasswordProps) {
  const rest = { type: "password", autocomplete: "current-password" } as const
  return <Field name="present_password" label={label} prefix={prefix} {...rest} />
}

interface PresentPasswordProps {
  label?: string
  prefix?: string
}

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
