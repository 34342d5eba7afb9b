import { endOtherOwnSessions, endOwnSession } from "../../accounts/sessions/operations.ts"
import type { OwnSession } from "../../accounts/sessions/own-sessions.ts"
import { LinkButton, Section } from "../kit/components.tsx"
import { useDate } from "../kit/dates.tsx"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "./account.fr.ts"
import { deviceName } from "./device.fr.ts"

const address = "/console/account/sessions"
const accountAddress = "/console/settings/account"
const shownSessions = 30

/** Pages that end sessions, each of which asks for the password again. */
export function sessionPages() {
  const ids = ({ session, params }: PageContext) => ({ ...params, present: session.hash })

  function askPage(context: PageContext): Response {
    const heading = context.params["session"] === undefined ? words.endOthers : words.endSession
    return page(
      context,
      { title: words.sessions, current: "settings" },
      <>
        <SettingsHead current="account" />
        <Form action={new URL(context.request.url).pathname} send={heading}>
          <h2>{heading}</h2>
          <Problem />
          <PresentPassword />
          <p class="hint">{words.passwordOrProvider}</p>
        </Form>
      </>,
    )
  }

  return {
    page: askPage,
    endOwnSession: performs(endOwnSession, {
      show: askPage,
      ids,
      leadsTo: () => `${accountAddress}?done=session`,
    }),
    othersPage: askPage,
    endOtherOwnSessions: performs(endOtherOwnSessions, {
      show: askPage,
      ids,
      leadsTo: () => `${accountAddress}?done=others`,
    }),
  }
}

/** The browsers in which the operator is signed in, this one first, each ended by a button. */
export function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const { session: present } = usePage()
  const date = useDate()
  const others = sessions.filter(({ hash }) => hash !== present.hash)
  const own = sessions.filter(({ hash }) => hash === present.hash)
  return (
    <Section id="sessions" title={words.sessions}>
      <ul class="rows people">
        {[...own, ...others].slice(0, shownSessions).map(({ hash, createdAt, seenAt, userAgent }) => (
          <li key={hash}>
            <div class="person">
              <strong>{deviceName(userAgent)}</strong>
              <span class="hint">
                {hash === present.hash ? words.thisBrowser : words.lastSeen(date(seenAt))}
                {words.signedInSince(date(createdAt))}
              </span>
            </div>
            {hash !== present.hash && (
              <div class="actions">
                <LinkButton
                  href={`${address}/${hash}/removal`}
                  label={words.endSession}
                  spoken={words.endSessionOf(deviceName(userAgent))}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p>
          <LinkButton href={`${address}/removal`} label={words.endOthers} />
        </p>
      )}
    </Section>
  )
}
