/** @jsxImportSource preact */

import { messages } from "../messages/sign-in.fr.ts"
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
    { title: messages.title, status, headers },
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
        <Field filled={filled} name="email" type="email" label={messages.email} autocomplete="username" />
        <Field
          filled={filled}
          name="password"
          type="password"
          label={messages.password}
          autocomplete="current-password"
        />
        <button type="submit">{messages.signIn}</button>
      </form>
      <p class="hint">
        {messages.forgotten} <code>{messages.forgottenCommand}</code>
      </p>
    </>,
  )
}

/** The page of a service that nobody can sign in to says so, and how to change that. */
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
