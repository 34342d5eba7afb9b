/** @jsxImportSource preact */

import { messages } from "../messages/sign-in.fr.ts"
import { Field, Problem } from "./forms/fields.tsx"
import type { SubmittedForm } from "./forms/submitted-form.ts"
import { plainPage } from "./shell.tsx"

/** Fields that the sign-in form carries unseen. */
const hiddenFields = ["next", "pending_path", "pending_workspace", "pending"]

/** `submitted` may carry the next address and a pending form (pending-form.tsx). */
export function signInPage(
  submitted: SubmittedForm,
  headers: [string, string][] = [],
  flash?: string,
): Response {
  return plainPage(
    { title: messages.title, submitted, headers },
    <>
      {flash && (
        <p class="done" role="status">
          {flash}
        </p>
      )}
      <form method="post" action="/console/sign-in" novalidate>
        <Problem />
        {hiddenFields.map((name) => (
          <input key={name} type="hidden" name={name} value={submitted.values.get(name) ?? ""} />
        ))}
        <Field name="email" type="email" label={messages.email} autocomplete="username" />
        <Field name="password" type="password" label={messages.password} autocomplete="current-password" />
        <button type="submit">{messages.signIn}</button>
      </form>
      <p class="hint">
        {messages.forgotten} <code>{messages.forgottenCommand}</code>
      </p>
    </>,
  )
}

/** Shown while the service has no operator. It explains how to create the first one. */
export function firstStartPage(): Response {
  return plainPage(
    { title: messages.firstTitle },
    <>
      <p>{messages.first}</p>
      <p>{messages.firstLink}</p>
      <p>{messages.firstCommand}</p>
      <pre>
        <code>{messages.setupLinkCommand}</code>
      </pre>
      <p>{messages.firstShell}</p>
      <pre>
        <code>{messages.operatorCommand}</code>
      </pre>
    </>,
  )
}
