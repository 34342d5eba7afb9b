import type { Clock } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../db/vault.ts"
import type { Access } from "../http/access.ts"
import type { Mailer, OutgoingMail } from "../mail/outbox.ts"

/** Dependencies of the accounts domain; `App` satisfies them. */
export interface AccountDeps {
  db: Db
  clock: Clock
  vault: Vault
  access: Access
  mailer: Mailer
  peopleMails: PeopleMails
  /** Takes an operator's form responses in a workspace away from them. */
  unassign(workspaceId: string, operatorId: string): Promise<void>
  config: { publicUrl: string; timezone: string; trustedProxies: readonly string[] }
}

/** Mails to people who sign in, or are to. A face words them. */
export interface PeopleMails {
  invitation(of: { workspace: string; inviter: string | undefined; link: string; publicUrl: string }): Worded
  passwordLink(of: { link: string; publicUrl: string }): Worded
  factorsRemoved(of: { workspace: string; by: string | undefined; publicUrl: string }): Worded
}

type Worded = Omit<OutgoingMail, "to">
