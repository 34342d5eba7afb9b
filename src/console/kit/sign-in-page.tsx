/** @jsxImportSource preact */

import { sentences } from "../sentences/sign-in.ts"
import { Field, Problem } from "./fields.tsx"
import type { Filled } from "./form.ts"
import { plainPage } from "./shell.tsx"

/** What goes along unseen until somebody is signed in. */
const carried = ["next", "pending_path", "pending_workspace", "pending"]

/** `filled` may carry where to go next, and a form that was sent without a session (pending.tsx). */
export function signInPage(
  filled: Filled,
  status: number,
  headers: [string, string][] = [],
  done?: string,
): Response {
  return plainPage(
    { title: sentences.title, status, headers },
    <>
      {done && (
        <p class="done" role="status">
          {done}
        </p>
      )}
      <form method="post" action="/console/sign-in" novalidate>
        <Problem filled={filled} />
        {carried.map((name) => (
          <input key={name} type="hidden" name={name} value={filled.values.get(name) ?? ""} />
        ))}
        <Field filled={filled} name="email" type="email" label={sentences.email} autocomplete="username" />
        <Field
          filled={filled}
          name="password"
          type="password"
          label={sentences.password}
          autocomplete="current-password"
        />
        <button type="submit">{sentences.signIn}</button>
      </form>
      <p class="hint">
        {sentences.forgotten} <code>{sentences.forgottenCommand}</code>
      </p>
    </>,
  )
}

/** The page of a service that nobody can sign in to says so, and how to change that. */
export function firstStartPage(): Response {
  return plainPage(
    { title: sentences.firstTitle },
    <>
      <p>{sentences.first}</p>
      <p>{sentences.firstLink}</p>
      <p>{sentences.firstCommand}</p>
      <pre>
        <code>{sentences.setupLinkCommand}</code>
      </pre>
      <p>{sentences.firstShell}</p>
      <pre>
        <code>{sentences.operatorCommand}</code>
      </pre>
    </>,
  )
}
