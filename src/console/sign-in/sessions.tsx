/** @jsxImportSource preact */
import type { OwnSession } from "../../accounts/sessions/own-sessions.ts"
import { useDate } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { words } from "./account.fr.ts"
import { deviceName } from "./device.fr.ts"

export const sessionsAddress = "/console/account/sessions"
const shownSessions = 30

/** The browsers in which the operator is signed in, this one first, each ended by a button. */
export function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const { session: present } = usePage()
  const date = useDate()
  const others = sessions.filter(({ hash }) => hash !== present.hash)
  const own = sessions.filter(({ hash }) => hash === present.hash)
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{words.sessions}</h2>
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
                <Form action={`${sessionsAddress}/${hash}/removal`}>
                  <button type="submit" class="quiet" aria-label={words.endSessionOf(deviceName(userAgent))}>
                    {words.endSession}
                  </button>
                </Form>
              </div>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Form
          action={`${sessionsAddress}/removal`}
          send={words.endOthers(others.length)}
          look="quiet"
          confirm={words.endOthersConfirm}
        />
      )}
    </section>
  )
}
