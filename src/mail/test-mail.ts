import { dayIn, secondMs, untilNextDayMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { countUpTo } from "../db/count.ts"
import type { Db } from "../db/sqlite/connection.ts"
import { longestEmail } from "../http/schemas.ts"
import type { Mailer } from "./outbox.ts"

/** Of one workspace and day: enough to set a server up, too few to annoy a stranger with. */
const mostPerDay = 20

export interface TestMail {
  workspaceId: string
  to: string
  timezone: string
  /** The words, which a face has. */
  mail: { subject: string; text: string }
}

/**
 * Sends a mail by the same way as all of them. Throws Refusal: `conflict` without a server,
 * `invalid_request`, `rate_limited` for one too many that day.
 */
export async function sendTestMail(
  db: Db,
  mailer: Mailer,
  { workspaceId, to, timezone, mail }: TestMail,
  nowMs: number,
): Promise<void> {
  if (!mailer.configured)
    throw new Refusal("conflict", detail("mail.notConfigured"), { reason: "no SMTP server" })
  if (to.length > longestEmail || !/^[^\s@<>,]{1,64}@[^\s@<>,]{1,253}$/.test(to))
    throw new Refusal("invalid_request", detail("mail.address"), { fields: { to: detail("mail.address") } })
  await db.transaction().execute(async (transaction) => {
    const counted = { subject: `mail-test:${workspaceId}`, period: dayIn(timezone, nowMs) }
    const sent =
      (await countUpTo(transaction, counted, mostPerDay)) &&
      (await mailer.queue(transaction, { workspaceId, to, ...mail }, nowMs))
    if (sent) return
    throw new Refusal("rate_limited", detail("mail.tooManyTests", { most: mostPerDay }), {
      reason: "too many mails of this workspace",
      retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
    })
  })
  mailer.wake()
}
