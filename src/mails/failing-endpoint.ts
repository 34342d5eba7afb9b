import { listMembers } from "../accounts/operator.ts"
import type { Clock } from "../base/clock.ts"
import { frenchDates } from "../base/french-date.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { Mailer } from "../mail/outbox.ts"
import type { Notify } from "../webhooks/endpoints/tell-failing.ts"
import { answerInWords } from "../wording/webhooks.fr.ts"
import { messages } from "./messages.fr.ts"

interface Parts {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string; timezone: string }
}

/**
 * Mails the owners of the endpoints' workspace, one mail each, where there is a mail server; else the log and
 * the API alone tell.
 */
export function failingMails({ db, clock, mailer, config }: Parts): Notify {
  const date = frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })

  return async (workspaceId, failing) => {
    if (!mailer.configured) return
    const members = await listMembers(db, workspaceId)
    const told = failing.map((one) =>
      messages.failingMailEndpoint({ url: one.url, answer: answerInWords(one), since: date(one.sinceMs) }),
    )
    const { failingMailSubject, failingMailSubjects } = messages
    const subject = failing.length === 1 ? failingMailSubject : failingMailSubjects({ count: failing.length })
    const text = messages.failingMail({ endpoints: told.join("\n"), publicUrl: config.publicUrl })
    await db.transaction().execute(async (transaction) => {
      for (const { email, role } of members) {
        if (role !== "owner") continue
        const mail = { workspaceId, to: email, subject, text }
        await mailer.queue(transaction, mail, clock.now())
      }
    })
    mailer.wake()
  }
}
