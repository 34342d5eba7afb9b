/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { changeOwnPassword } from "../../accounts/own-password.ts"
import { clientReader } from "../../http/client.ts"
import { browserText, clearedCookies } from "../kit/cookie.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"
import { SettingsHead } from "../settings/settings-head.tsx"

/** The operator's own account: its password. */
export function accountPages(door: Door, { db, clock, vault, config }: ConsoleParts) {
  const clientOf = clientReader(config.trustedProxies)

  function shown(visit: Visit, filled: Filled, status: number): Response {
    return page(
      visit,
      { title: messages.account, current: "settings", status },
      <>
        <SettingsHead current="account" />
        <p>{visit.session.operator.email}</p>
        <Form visit={visit} action="/console/settings/password">
          <h2>{messages.changePassword}</h2>
          <Problem filled={filled} />
          <Field
            filled={filled}
            name="present_password"
            type="password"
            label={messages.password}
            autocomplete="current-password"
          />
          <Field
            filled={filled}
            name="password"
            type="password"
            label={messages.newPassword}
            hint={messages.newPasswordHint}
            autocomplete="new-password"
          />
          <p class="hint">{messages.passwordNote}</p>
          <button type="submit">{messages.changePassword}</button>
        </Form>
      </>,
    )
  }

  return new Elysia({ name: "console-account", prefix: "/console/settings" })
    .get(
      "/account",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "/password",
      door.action(
        "viewer",
        async ({ request, session, values, about }) => {
          const change = {
            present: values.get("present_password") ?? "",
            password: values.get("password") ?? "",
            address: clientOf(request),
            browser: browserText(request),
          }
          await changeOwnPassword({ db, vault }, session.operator, change, clock.now())
          about(session.operator.id, session.operator.email)
          return seeOther("/console/sign-in?done=password", clearedCookies())
        },
        shown,
      ),
      { parse: "none" },
    )
}
