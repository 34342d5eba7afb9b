import { changeOwnPassword, endOwnAccount } from "../../accounts/members/operations.ts"
import { hasIdentity } from "../../accounts/oidc/operations.ts"
import { hasSecondFactor, readSecondFactors } from "../../accounts/second-factor/factors.ts"
import { listSessions } from "../../accounts/sessions/own-sessions.ts"
import { LinkButton, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { clearedCookies } from "../kit/session/cookie.ts"
import { NewPassword, PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "../settings/words.fr.ts"
import { words as accountWords } from "./account.fr.ts"
import { Identity } from "./identity.tsx"
import { passkeysAddress } from "./passkeys.tsx"
import { Sessions } from "./sessions.tsx"
import { twoFactorAddress } from "./two-factor.tsx"

const address = "/console/settings/account"

/** The page where an operator changes their own password, and ends their sessions. */
export function accountPages({ db, provider, config }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { operator } = context.session
    const factors = await readSecondFactors(db, operator.id)
    const { sessionEnded: session, othersEnded: others } = accountWords
    const { identityJoined: joined, identityParted: parted } = accountWords
    return page(
      context,
      { title: words.tabs.account, current: "settings", flash: { session, others, joined, parted } },
      <>
        <SettingsHead current="account" />
        <p class="intro">{operator.email}</p>
        <Form action="/console/settings/password" only="password" send={words.changePassword}>
          <h2>{words.changePassword}</h2>
          <Problem />
          <PresentPassword />
          <NewPassword />
          <p class="hint">{words.passwordNote}</p>
        </Form>
        <Section title={accountWords.twoFactor}>
          <p>{hasSecondFactor(factors) ? accountWords.twoFactorOn : accountWords.twoFactorOff}</p>
          <p>
            <LinkButton href={twoFactorAddress} label={accountWords.twoFactorChange} />
          </p>
        </Section>
        <Section title={accountWords.passkeys}>
          <p>{accountWords.passkeysCount(factors.passkeys)}</p>
          <p>
            <LinkButton href={passkeysAddress} label={accountWords.passkeysChange} />
          </p>
        </Section>
        {provider && (
          <Identity
            name={provider.settings.name}
            publicUrl={config.publicUrl}
            isJoined={await hasIdentity(db, operator.id)}
          />
        )}
        <Sessions sessions={await listSessions(db, operator.id, context.nowMs)} />
        <Form
          action={`${address}/removal`}
          only="end"
          confirm={accountWords.endConfirm}
          send={accountWords.end}
          look="grave"
        >
          <h2>{accountWords.end}</h2>
          <p class="hint">{accountWords.endHint}</p>
          <Problem />
          <input type="hidden" name="end" value="yes" />
          <PresentPassword prefix="end-" />
        </Form>
      </>,
    )
  }

  return {
    page: showPage,
    changeOwnPassword: performs(changeOwnPassword, {
      show: showPage,
      ids: ({ session }) => ({ operator: session.operator.id }),
      leadsTo: () => seeOther("/console/sign-in?done=password", clearedCookies()),
    }),
    endOwnAccount: performs(endOwnAccount, {
      show: showPage,
      ids: ({ session }) => ({ operator: session.operator.id }),
      leadsTo: () => seeOther("/console/sign-in?done=ended", clearedCookies()),
    }),
  }
}
