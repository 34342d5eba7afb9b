import { listMembers } from "../accounts/operator.ts"
import { defaultWorkspaceId } from "../accounts/workspace.ts"
import type { Clock } from "../base/clock.ts"
import { frenchDates } from "../base/time.ts"
import type { Db } from "../db/connection.ts"
import type { BackupTrouble } from "../jobs/backups.ts"
import type { Mailer } from "../mail/outbox.ts"
import type { NotifyWaits } from "../webhooks/delivery/turns/long-waits.ts"
import type { FailingEndpoint, Notify } from "../webhooks/endpoints/failing.ts"
import { answerInWords } from "../wording/webhooks.fr.ts"
import { words } from "./words.fr.ts"

export interface OwnerMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string; timezone: string }
}

/** Tells the installation's administrators (the owners of the default workspace) what is wrong with its backups. */
export function backupMails(deps: OwnerMailDeps): (trouble: BackupTrouble) => Promise<void> {
  const { db, mailer, config } = deps
  const date = longDates(deps)
  return async ({ kind, folder, newestAtMs }) => {
    if (!mailer.configured) return
    const newest = newestAtMs === undefined ? words.noBackup : date(newestAtMs)
    const text = words.backupMail[kind]({ folder, newest, publicUrl: config.publicUrl })
    await mailOwners(deps, await defaultWorkspaceId(db), { subject: words.backupMailSubject[kind], text })
  }
}

/** One mail for all failing endpoints. Without a mail server, only the log and the API show them. */
export function failingMails(deps: OwnerMailDeps): Notify {
  const { mailer, config } = deps
  const date = longDates(deps)
  return async (workspaceId, failing) => {
    if (!mailer.configured) return
    const endpoints = failing.map((each) =>
      words.failingMailEndpoint({
        name: nameIn(each),
        answer: answerInWords(each),
        since: date(each.sinceMs),
        link: `${config.publicUrl}/console/webhooks/${each.endpointId}/deliveries?state=failing`,
      }),
    )
    const { failingMailSubject, failingMailSubjects } = words
    const subject = failing.length === 1 ? failingMailSubject : failingMailSubjects({ count: failing.length })
    const text = words.failingMail({ endpoints: endpoints.join("\n"), publicUrl: config.publicUrl })
    await mailOwners(deps, workspaceId, { subject, text })
  }
}

/** The same of endpoints whose deliveries wait for their turn for long. */
export function waitingMails(deps: OwnerMailDeps): NotifyWaits {
  const { mailer, config } = deps
  const date = longDates(deps)
  return async (workspaceId, waits) => {
    if (!mailer.configured) return
    const endpoints = waits.map((each) =>
      words.waitingMailEndpoint({
        name: nameIn(each),
        since: date(each.sinceMs),
        link: `${config.publicUrl}/console/webhooks/${each.endpointId}/deliveries?state=pending`,
      }),
    )
    const text = words.waitingMail({ endpoints: endpoints.join("\n") })
    await mailOwners(deps, workspaceId, { subject: words.waitingMailSubject, text })
  }
}

function longDates({ config }: OwnerMailDeps) {
  return frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })
}

function nameIn({ description, url }: Pick<FailingEndpoint, "description" | "url">): string {
  return [description, url].filter(Boolean).join("\n")
}

async function mailOwners(
  { db, clock, mailer }: OwnerMailDeps,
  workspaceId: string,
  written: { subject: string; text: string },
): Promise<void> {
  const members = await listMembers(db, workspaceId)
  await db.transaction().execute(async (transaction) => {
    for (const { email, role } of members)
      if (role === "owner")
        await mailer.queue(transaction, { workspaceId, to: email, ...written }, clock.now())
  })
  mailer.wake()
}
