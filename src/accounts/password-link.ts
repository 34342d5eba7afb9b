import { hourMs } from "../base/clock.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import { newSecretText, sha256 } from "../base/hash.ts"
import type { Db } from "../db/connection.ts"
import { insertRows } from "../db/store.ts"
import type { Vault } from "../db/vault.ts"
import { withLock } from "../db/with-lock.ts"
import { visitorAddress } from "../http/client.ts"
import { counterOf, type Limit, visitorOn } from "../limits/limit.ts"
import { take } from "../limits/take.ts"
import { recordAction } from "../operations/audit-log.ts"
import type { AccountDeps } from "./deps.ts"
import { checkedEmail, findOperator, type Operator, storePassword } from "./operator.ts"
import { hashPassword } from "./password.ts"
import { mailboxKey } from "./people-mails.ts"
import { proveAddress } from "./proven-address.ts"
import { listOperatorWorkspaces, maxWorkspacesOfAccount } from "./session.ts"
import { forgetTries } from "./sign-in.ts"
import { membership } from "./subjects.ts"
import { defaultWorkspaceId } from "./workspace.ts"

export const passwordLinkHours = 1

/**
 * Strangers can ask for these mails: while none can be sent, they leave room for the workspace's other mails.
 * The first to ask keep their places while their links are good, so that no crowd pushes them out; later ones
 * are refused.
 */
export const passwordMails = { about: "password links", atMost: 200, lifetimeMs: passwordLinkHours * hourMs }

const limits = {
  mailbox: { key: "password links", points: 3, per: "hour", on: "mailbox" },
  visitor: { key: "password links", points: 10, per: "hour", on: "visitor" },
} satisfies Record<string, Limit>

/**
 * Mails a link to choose another password to the account of an address. For an address without an account the same
 * rows are written, and the mail is never sent: neither the result nor its time tells which. The audit log has no
 * entry of it, since strangers would write there. Throws Refusal: `conflict` without an SMTP server;
 * `invalid_request` when it is no address; `rate_limited`; `unavailable` when too many mails wait.
 */
export async function mailPasswordLink(
  { db, vault, mailer, peopleMails, config: { publicUrl, timezone } }: AccountDeps,
  { email, address }: { email: string; address: string },
  nowMs: number,
): Promise<void> {
  if (!mailer.configured) throw new Refusal("conflict", detail("mail.notConfigured"))
  const to = checkedEmail(email)
  const at = { timezone, nowMs }
  const visitor = visitorOn(vault, visitorAddress(address), at)
  const mailbox = mailboxKey(vault, to, at)
  const counters = [counterOf(limits.visitor, visitor, at), counterOf(limits.mailbox, mailbox, at)]
  // The first workspace has the mails of the service itself, since an address belongs to none.
  const workspaceId = await defaultWorkspaceId(db)
  const subjects = counters.map(({ subject }) => subject)
  await withLock(db, subjects, async (transaction) => {
    const explanation = detail("accounts.tooManyPasswordLinks")
    await take(transaction, limits.visitor, visitor, at, explanation)
    await take(transaction, limits.mailbox, mailbox, at, explanation)
    const isDecoy = (await findOperator(transaction, to)) === undefined
    const link = await newLink(transaction, { email: to, workspaceId: null, publicUrl }, nowMs)
    const worded = peopleMails.passwordLink({ link, publicUrl })
    const mail = { workspaceId, to, isDecoy, ...passwordMails, ...worded }
    if (!(await mailer.queue(transaction, mail, nowMs)))
      throw new Refusal("unavailable", detail("accounts.mailsWaiting"))
  })
  mailer.wake()
}

/**
 * Makes a link for a member who belongs to no other workspace: its owner could as well take the member out and invite
 * them again. Throws Refusal `forbidden` for a member of another one too, whose owners have not agreed.
 */
export async function makePasswordLink(
  db: Db,
  { operator, workspaceId, publicUrl }: { operator: Operator; workspaceId: string; publicUrl: string },
  nowMs: number,
): Promise<string> {
  return withLock(db, membership(operator.id), async (transaction) => {
    if (!(await belongsOnlyTo(transaction, operator.id, workspaceId)))
      throw new Refusal("forbidden", detail("accounts.memberElsewhere"))
    return newLink(transaction, { email: operator.email, workspaceId, publicUrl }, nowMs)
  })
}

async function newLink(
  transaction: Db,
  { email, workspaceId, publicUrl }: { email: string; workspaceId: string | null; publicUrl: string },
  nowMs: number,
): Promise<string> {
  const text = newSecretText()
  const expires_at = nowMs + passwordLinkHours * hourMs
  await insertRows(transaction, "password_link", {
    hash: sha256(text),
    email,
    workspace_id: workspaceId,
    expires_at,
  })
  return `${publicUrl}/console/password-reset/${text}`
}

/** The account of a link. Throws Refusal `not_found` if the link is unknown, used, void or expired. */
export async function requirePasswordLink(
  db: Db,
  text: string,
  nowMs: number,
): Promise<Operator & { isMailed: boolean }> {
  const row = await db
    .selectFrom("password_link")
    .innerJoin("operator", "operator.email", "password_link.email")
    .select(["operator.id", "operator.email", "workspace_id"])
    .where("hash", "=", sha256(text))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst()
  const { id, email, workspace_id } = required(row, detail("accounts.deadPasswordLink"))
  if (workspace_id !== null && !(await belongsOnlyTo(db, id, workspace_id)))
    throw new Refusal("not_found", detail("accounts.deadPasswordLink"))
  return { id, email, isMailed: workspace_id === null }
}

/**
 * Sets another password by a link, which is spent with every other one of the account. Signs the account out
 * everywhere and forgets wrong guesses; each of its workspaces notes it. The link of a mail proves the address
 * (`proveAddress`): once proven, a second step is neither removed nor skipped. Throws Refusal: `not_found`;
 * `invalid_request` for a password that is not good.
 */
export async function resetPassword(
  { db, vault }: { db: Db; vault: Vault },
  { text, password }: { text: string; password: string },
  nowMs: number,
): Promise<Operator> {
  const { id, email } = await requirePasswordLink(db, text, nowMs)
  const hash = await hashPassword(db, { email, password })
  const operator = await withLock(db, membership(id), async (transaction) => {
    const { isMailed, ...operator } = await requirePasswordLink(transaction, text, nowMs)
    await storePassword(transaction, operator.id, hash)
    if (isMailed) await proveAddress(transaction, operator, nowMs)
    const actor = { kind: "operator", id: operator.id, name: operator.email } as const
    const done = { action: "password.reset", subject: operator.id, subjectName: operator.email } as const
    for (const workspace of await listOperatorWorkspaces(transaction, operator.id, {
      atMost: maxWorkspacesOfAccount,
    }))
      await recordAction(transaction, workspace.id, actor, done, nowMs)
    return operator
  })
  await forgetTries({ db, vault }, operator.email)
  return operator
}

/** Whether the owners of this workspace alone decide about an account. */
export async function belongsOnlyTo(db: Db, operatorId: string, workspaceId: string): Promise<boolean> {
  const [first, ...others] = await db
    .selectFrom("member")
    .select("workspace_id")
    .where("operator_id", "=", operatorId)
    .limit(2)
    .execute()
  return first?.workspace_id === workspaceId && others.length === 0
}
