import { defaultWorkspaceId } from "../accounts/workspace.ts"
import { frenchDates } from "../base/time.ts"
import type { BackupTrouble } from "../jobs/backups.ts"
import { messages } from "./messages.fr.ts"
import { mailOwners, type OwnerMailDeps } from "./owners.ts"

/** Tells the installation's administrators (the owners of the default workspace) what is wrong with its backups. */
export function backupMails(deps: OwnerMailDeps): (trouble: BackupTrouble) => Promise<void> {
  const { db, mailer, config } = deps
  const date = frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })
  return async ({ kind, folder, newestAtMs }) => {
    if (!mailer.configured) return
    const newest = newestAtMs === undefined ? messages.noBackup : date(newestAtMs)
    const text = messages.backupMail[kind]({ folder, newest, publicUrl: config.publicUrl })
    await mailOwners(deps, await defaultWorkspaceId(db), { subject: messages.backupMailSubject[kind], text })
  }
}
