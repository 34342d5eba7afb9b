import { detail, Refusal } from "../base/errors.ts"
import { maxEmailLength } from "../base/text.ts"
import type { Db } from "../db/connection.ts"
import { type Limit, reached } from "../limits/limit.ts"
import { take } from "../limits/take.ts"
import type { Mailer } from "./outbox.ts"

/** Enough to set up a server, too few to annoy a stranger. */
const limit: Limit = { key: "test mails", points: 20, per: "day", on: "workspace" }

export interface TestMail {
  workspaceId: string
  to: string
  timezone: string
  mail: { subject: string; text: string }
}

/** Throws Refusal: `conflict` without a mail server; `invalid_request`; `rate_limited` beyond `limit`. */
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
    const at = { timezone, nowMs }
    const refusal = detail("mail.tooManyTests", { most: limit.points })
    await take(transaction, limit, workspaceId, at, refusal)
    if (!(await mailer.queue(transaction, { workspaceId, to, ...mail }, nowMs)))
      throw reached(limit, refusal, at)
  })
  mailer.wake()
}
