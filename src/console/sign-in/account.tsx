/** @jsxImportSource preact */
import { changeOwnPassword } from "../../accounts/members/operations.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { clearedCookies } from "../kit/session/cookie.ts"
import { NewPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "../settings/words.fr.ts"

/** The page where an operator changes their own password. */
export function accountPages(pages: Pages) {
  function showPage(context: PageContext): Response {
    return page(
      context,
      { title: words.account, current: "settings" },
      <>
        <SettingsHead current="account" />
        <p class="intro">{context.session.operator.email}</p>
        <Form action="/console/settings/password" send={words.changePassword}>
          <h2>{words.changePassword}</h2>
          <Problem />
          <Field
            name="present_password"
            type="password"
            label={words.password}
            autocomplete="current-password"
          />
          <NewPassword label={words.newPassword} />
          <p class="hint">{words.passwordNote}</p>
        </Form>
      </>,
    )
  }

  pages
    .at("/console/settings")
    .page("/account", showPage)
    .performs("/password", changeOwnPassword, {
      show: showPage,
      ids: ({ session }) => ({ operator: session.operator.id }),
      leadsTo: () => seeOther("/console/sign-in?done=password", clearedCookies()),
    })
}
