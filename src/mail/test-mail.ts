import { dayIn, secondMs, untilNextDayMs } from "../base/clock.ts"
import { Refusal } from "../base/errors.ts"
import { countUpTo } from "../db/count.ts"
import type { Db } from "../db/sqlite/connection.ts"
import { longestEmail } from "../http/schemas.ts"
import type { Mailer } from "./outbox.ts"
import { sentences } from "./sentences.ts"

/** Of one workspace and day: enough to set a server up, too few to annoy a stranger with. */
const mostPerDay = 20

export interface TestMail {
  workspaceId: string
  to: string
  timezone: string
}

/**
 * Sends a mail by the same way as all of them. Throws Refusal: `conflict` without a server, `invalid_request`, `rate_limited` for
 * one too many that day.
 */
export async function sendTestMail(
  db: Db,
  mailer: Mailer,
  { workspaceId, to, timezone }: TestMail,
  nowMs: number,
): Promise<void> {
  if (!mailer.configured) throw new Refusal("conflict", sentences.notConfigured, { reason: "no SMTP server" })
  if (to.length > longestEmail || !/^[^\s@<>,]{1,64}@[^\s@<>,]{1,253}$/.test(to))
    throw new Refusal("invalid_request", sentences.address, { fields: { to: sentences.address } })
  const { testSubject: subject, testText: text } = sentences
  await db.transaction().execute(async (transaction) => {
    const counted = { subject: `mail-test:${workspaceId}`, period: dayIn(timezone, nowMs) }
    const sent =
      (await countUpTo(transaction, counted, mostPerDay)) &&
      (await mailer.queue(transaction, { workspaceId, to, subject, text }, nowMs))
    if (sent) return
    throw new Refusal("rate_limited", sentences.tooManyTests(mostPerDay), {
      reason: "too many mails of this workspace",
      retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
    })
  })
  mailer.wake()
}
