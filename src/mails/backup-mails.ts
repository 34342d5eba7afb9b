import { defaultWorkspaceId } from "../accounts/workspace.ts"
import { frenchDates } from "../base/time.ts"
import type { BackupTrouble } from "../jobs/backups.ts"
import { mailOwners, type OwnerMailDeps } from "./owners.ts"
import { words } from "./words.fr.ts"

/** Tells the installation's administrators (the owners of the default workspace) what is wrong with its backups. */
export function backupMails(deps: OwnerMailDeps): (trouble: BackupTrouble) => Promise<void> {
  const { db, mailer, config } = deps
  const date = frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })
  return async ({ kind, folder, newestAtMs }) => {
    if (!mailer.configured) return
    const newest = newestAtMs === undefined ? words.noBackup : date(newestAtMs)
    const text = words.backupMail[kind]({ folder, newest, publicUrl: config.publicUrl })
    await mailOwners(deps, await defaultWorkspaceId(db), { subject: words.backupMailSubject[kind], text })
  }
}
