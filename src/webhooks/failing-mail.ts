import type { Clock } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { frenchDates } from "../http/french-date.ts"
import type { Mailer } from "../mail/outbox.ts"
import { listMembers } from "../workspaces/operator.ts"
import { answerInWords, type Failing } from "./failing.ts"
import { sentences } from "./sentences.ts"
import type { Notify } from "./tell-failing.ts"

interface Parts {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string; timezone: string }
}

/** Mails the owners of the endpoint's workspace, where there is a mail server; else the log and the API alone tell. */
export function failingMails({ db, clock, mailer, config }: Parts): Notify {
  return async (failing) => {
    if (!mailer.configured) return
    const endpoint = await db
      .selectFrom("endpoint")
      .select(["url", "workspace_id"])
      .where("id", "=", failing.endpointId)
      .executeTakeFirst()
    if (!endpoint) return
    const members = await listMembers(db, endpoint.workspace_id)
    const text = sentences.failingMail(
      endpoint.url,
      answerInWords(failing),
      since(failing, config.timezone),
      config.publicUrl,
    )
    await db.transaction().execute(async (transaction) => {
      for (const { email, role } of members) {
        if (role !== "owner") continue
        const mail = { to: email, subject: sentences.failingMailSubject, text }
        await mailer.queue(transaction, mail, clock.now())
      }
    })
    mailer.wake()
  }
}

function since({ sinceMs }: Failing, timezone: string): string {
  return frenchDates({ timeZone: timezone, dateStyle: "long", timeStyle: "short" })(sinceMs)
}
