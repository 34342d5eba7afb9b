import type { Db } from "../db/connection.ts"
import type { Vault } from "../db/vault.ts"
import { type Limit, type Moment, visitorOn } from "../limits/limit.ts"
import { takeIfLeft } from "../limits/take.ts"
import { mailboxOf } from "../mail/mailbox.ts"
import type { AccountDeps } from "./deps.ts"

/** Who is invited, taken back and invited again is not to be flooded, nor are many strangers. */
const limits = {
  mailbox: { key: "invitation mails", points: 3, per: "day", on: "mailbox" },
  workspace: { key: "invitation mails", points: 100, per: "day", on: "workspace" },
} satisfies Record<string, Limit>

interface InvitationMail {
  workspace: { id: string; name: string }
  email: string
  inviter: string | undefined
  link: string
}

/** Queues the mail of an invitation. Resolves to false without an SMTP server, and where enough were sent today. */
export async function mailInvitation(
  { vault, mailer, peopleMails, config: { publicUrl, timezone } }: AccountDeps,
  transaction: Db,
  { workspace, email, inviter, link }: InvitationMail,
  nowMs: number,
): Promise<boolean> {
  if (!mailer.configured) return false
  const at = { timezone, nowMs }
  const isLeft =
    (await takeIfLeft(transaction, limits.workspace, workspace.id, at)) &&
    (await takeIfLeft(transaction, limits.mailbox, mailboxKey(vault, email, at), at))
  if (!isLeft) return false
  const worded = peopleMails.invitation({ workspace: workspace.name, inviter, link, publicUrl })
  return mailer.queue(transaction, { workspaceId: workspace.id, to: email, ...worded }, nowMs)
}

interface FactorsMail {
  workspace: { id: string; name: string }
  email: string
  /** The e-mail address of the owner who did so; undefined for the owner of the machine. */
  by: string | undefined
}

/** Tells an account that its second factor was taken away. There is one to take each time: that bounds these mails. */
export async function mailFactorsRemoved(
  { mailer, peopleMails, config: { publicUrl } }: AccountDeps,
  transaction: Db,
  { workspace, email, by }: FactorsMail,
  nowMs: number,
): Promise<void> {
  if (!mailer.configured) return
  const worded = peopleMails.factorsRemoved({ workspace: workspace.name, by, publicUrl })
  await mailer.queue(transaction, { workspaceId: workspace.id, to: email, ...worded }, nowMs)
}

/** Recognises a mailbox for one day. Expects a normalised address. */
export function mailboxKey(vault: Vault, email: string, at: Moment): string {
  return visitorOn(vault, mailboxOf(email), at)
}
