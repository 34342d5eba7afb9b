import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { longestEmail } from "../http/schemas.ts"
import type { Mailer } from "./outbox.ts"
import { sentences } from "./sentences.ts"

/** Sends a mail by the same way as all of them. Throws Refusal: `conflict` without a server, `invalid_request`. */
export async function sendTestMail(db: Db, mailer: Mailer, to: string, nowMs: number): Promise<void> {
  if (!mailer.configured) throw new Refusal("conflict", sentences.notConfigured, { reason: "no SMTP server" })
  if (to.length > longestEmail || !/^[^\s@<>,]{1,64}@[^\s@<>,]{1,253}$/.test(to))
    throw new Refusal("invalid_request", sentences.address, { fields: { to: sentences.address } })
  const { testSubject: subject, testText: text } = sentences
  await db.transaction().execute((transaction) => mailer.queue(transaction, { to, subject, text }, nowMs))
  mailer.wake()
}
