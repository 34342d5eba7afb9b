import { listMembers } from "../accounts/operator.ts"
import type { Clock } from "../base/clock.ts"
import { frenchDates } from "../base/time.ts"
import type { Db } from "../db/connection.ts"
import type { Mailer } from "../mail/outbox.ts"
import type { FailingEndpoint, Notify } from "../webhooks/endpoints/failing.ts"
import { endpointName } from "../wording/endpoint-name.fr.ts"
import { answerInWords } from "../wording/webhooks.fr.ts"
import { messages } from "./messages.fr.ts"

interface FailingMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string; timezone: string }
}

/**
 * Mails every owner of the workspace, one mail for all failing endpoints. Without a mail server, only the log
 * and the API show them.
 */
export function failingMails({ db, clock, mailer, config }: FailingMailDeps): Notify {
  const date = frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })

  return async (workspaceId, failing) => {
    if (!mailer.configured) return
    const members = await listMembers(db, workspaceId)
    const endpoints = failing.map((each) =>
      messages.failingMailEndpoint({
        name: nameIn(each),
        answer: answerInWords(each),
        since: date(each.sinceMs),
      }),
    )
    const { failingMailSubject, failingMailSubjects } = messages
    const subject = failing.length === 1 ? failingMailSubject : failingMailSubjects({ count: failing.length })
    const text = messages.failingMail({ endpoints: endpoints.join("\n"), publicUrl: config.publicUrl })
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

/** A mail has no link to the endpoint, so that its address stands below a description. */
function nameIn(endpoint: FailingEndpoint): string {
  if (endpoint.kind === "test") return endpointName(endpoint)
  return [endpoint.description, endpoint.url].filter(Boolean).join("\n")
}
