import { dayIn, secondMs, untilNextDayMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { maxEmailLength } from "../base/text.ts"
import type { Db } from "../db/connection.ts"
import { countUpTo } from "../db/count.ts"
import type { Mailer } from "./outbox.ts"

/** Per workspace and day: enough to set up a server, too few to annoy a stranger. */
const maxPerDay = 20

export interface TestMail {
  workspaceId: string
  to: string
  timezone: string
  /** Subject and text, worded by the calling face. */
  mail: { subject: string; text: string }
}

/**
 * Queues a test mail like any other mail. Throws Refusal: `conflict` without an SMTP server;
 * `invalid_request` for an invalid address; `rate_limited` beyond `maxPerDay`.
 */
export async function queueTestMail(
  db: Db,
  mailer: Mailer,
  { workspaceId, to, timezone, mail }: TestMail,
  nowMs: number,
): Promise<void> {
  if (!mailer.configured)
    throw new Refusal("conflict", detail("mail.notConfigured"), { reason: "no SMTP server" })
  if (to.length > maxEmailLength || !/^[^\s@<>,]{1,64}@[^\s@<>,]{1,253}$/.test(to))
    throw new Refusal("invalid_request", detail("mail.address"), { fields: { to: detail("mail.address") } })
  await db.transaction().execute(async (transaction) => {
    const counted = { subject: `mail-test:${workspaceId}`, period: dayIn(timezone, nowMs) }
    const sent =
      (await countUpTo(transaction, counted, maxPerDay)) &&
      (await mailer.queue(transaction, { workspaceId, to, ...mail }, nowMs))
    if (sent) return
    throw new Refusal("rate_limited", detail("mail.tooManyTests", { most: maxPerDay }), {
      reason: "too many mails of this workspace",
      retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
    })
  })
  mailer.wake()
}
