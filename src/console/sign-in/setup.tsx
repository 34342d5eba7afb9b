import { addFirstOperator } from "../../accounts/operator.ts"
import { openSession } from "../../accounts/session.ts"
import { requireSetupLink } from "../../accounts/setup-link.ts"
import { defaultWorkspaceId } from "../../accounts/workspace.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Problem } from "../kit/forms/fields.tsx"
import { untouched } from "../kit/forms/submitted-form.ts"
import { seeOther } from "../kit/reply.ts"
import { sessionCookie, signInBrowser } from "../kit/session/cookie.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { NewPassword } from "../kit/session/sign-in-page.tsx"
import { plainPage } from "../kit/shell.tsx"
import { recordOwn } from "./invitation.tsx"
import { linkPage } from "./link-pages.ts"

/** The page of the setup link, where the first operator creates an account and is signed in. */
export function setupPage(deps: ConsoleDeps) {
  const { db, clock } = deps

  return linkPage(deps, {
    async show(link, submitted) {
      // A refused form is shown again although the link is void by now: two may have been sent at once.
      if (submitted === untouched) await requireSetupLink(db, link, clock.now())
      return plainPage(
        { title: words.setupTitle, submitted },
        <>
          <p>{words.setup}</p>
          <form method="post" action={`/console/setup/${encodeURIComponent(link)}`} novalidate>
            <Problem />
            <Field name="email" type="email" label={words.email} autocomplete="username" />
            <NewPassword label={words.password} />
            <button type="submit">{words.create}</button>
          </form>
        </>,
      )
    },
    async send(link, values, origin, request) {
      await requireSetupLink(db, link, clock.now())
      const account = { email: values.get("email") ?? "", password: values.get("password") ?? "" }
      const operator = await addFirstOperator(db, account, clock.now())
      // Its own actor: the setup link comes from the machine's owner, who has no account.
      await recordOwn(db, operator, "operator.added", await defaultWorkspaceId(db), clock.now())
      const session = await openSession(db, operator, clock.now(), signInBrowser(request))
      return seeOther("/console", session && [["set-cookie", sessionCookie(session.text, origin)]])
    },
  })
}
