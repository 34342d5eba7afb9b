import { listMembers } from "../accounts/operator.ts"
import type { Clock } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import type { Mailer } from "../mail/outbox.ts"

export interface OwnerMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string; timezone: string }
}

/** Mails every owner of a workspace. */
export async function mailOwners(
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
