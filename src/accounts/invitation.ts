import { dayMs } from "../base/clock.ts"
import { detail, Refusal, required, requireRoom } from "../base/errors.ts"
import { newSecretText, sha256 } from "../base/hash.ts"
import { newId } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import type { Row } from "../db/schema.ts"
import { deleteRows } from "../db/store.ts"
import type { Role } from "../db/tables/operators.ts"
import { withLock } from "../db/with-lock.ts"
import { roleScopes } from "../operations/scope.ts"
import type { AccountDeps } from "./deps.ts"
import {
  addMember,
  checkedEmail,
  findOperator,
  insertOperator,
  listMembers,
  type Operator,
  storePassword,
} from "./operator.ts"
import { hashPassword } from "./password.ts"
import { mailInvitation } from "./people-mails.ts"
import { proveAddress } from "./proven-address.ts"
import { requireRights } from "./rights.ts"
import { reopenWorkspace, type Session } from "./session.ts"
import { membership } from "./subjects.ts"
import { requireWorkspace } from "./workspace.ts"

export const invitationDays = 7

/** Pending ones of a workspace: a bound for a program that invites in a loop. */
export const maxInvitations = 100

/** Members of a workspace: pages and checks read all of them. */
export const maxMembers = 500

export interface Invitation {
  id: string
  workspaceId: string
  email: string
  role: Role
  createdAt: number
  expiresAt: number
}

interface InvitationRequest {
  workspaceId: string
  email: string
  role: Role
  held: readonly string[]
  inviter: string | undefined
}

/**
 * Invites an e-mail address, by mail where mails are sent. Resolves to the invitation, its link, which is shown once,
 * and whether it was mailed (`mailInvitation`), with a link of its own that only the reader of the mail has. The
 * function never looks for an account, so neither the result nor its timing reveals whether the address has one.
 * Throws Refusal: `invalid_request`; `forbidden` for a role beyond the inviter's rights; `conflict` when the address
 * belongs to a member or is invited already, and beyond `maxInvitations` and `maxMembers`.
 */
export async function invite(
  deps: AccountDeps,
  { workspaceId, email, role, held, inviter }: InvitationRequest,
  nowMs: number,
): Promise<{ invitation: Invitation; link: string; mailed: boolean }> {
  requireRights({ granted: held, gained: roleScopes(role) }, "role")
  const address = checkedEmail(email)
  const text = newSecretText()
  const mailedText = newSecretText()
  const row = {
    id: newId("inv", nowMs),
    workspace_id: workspaceId,
    email: address,
    role,
    hash: sha256(text),
    created_at: nowMs,
    expires_at: nowMs + invitationDays * dayMs,
    mailed_hash: sha256(mailedText),
  }
  const linkUrl = (text: string) => `${deps.config.publicUrl}/console/invitations/${text}`
  const mailed = await withLock(deps.db, membership(), async (transaction) => {
    const members = await listMembers(transaction, workspaceId)
    if (members.some((member) => member.email === address))
      throw new Refusal("conflict", detail("accounts.memberExists", { email: address }), {
        fields: { email: detail("accounts.memberExists", { email: address }) },
      })
    requireRoom(members.length, maxMembers, "accounts.tooManyMembers")
    const invitations = await listInvitations(transaction, workspaceId, nowMs)
    if (invitations.some((invitation) => invitation.email === address))
      throw new Refusal("conflict", detail("accounts.alreadyInvited"), {
        fields: { email: detail("accounts.alreadyInvited") },
      })
    requireRoom(invitations.length, maxInvitations, "accounts.tooManyInvitations")
    // An expired invitation of the address may still be there: `purgeSessions` deletes it later.
    await deleteRows(transaction, "invitation", { workspace_id: workspaceId, email: address })
    await transaction.insertInto("invitation").values(row).execute()
    const workspace = await requireWorkspace(transaction, workspaceId)
    const mail = { workspace, email: address, inviter, link: linkUrl(mailedText) }
    return mailInvitation(deps, transaction, mail, nowMs)
  })
  if (mailed) deps.mailer.wake()
  return { invitation: toInvitation(row), link: linkUrl(text), mailed }
}

/** Invitations that can still be accepted, oldest first. */
export async function listInvitations(db: Db, workspaceId: string, nowMs: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom("invitation")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", nowMs)
    .orderBy("created_at")
    .orderBy("id")
    .execute()
  return rows.map(toInvitation)
}

/** Tells whether the link is the one of the mail. Throws Refusal `not_found` for a dead link. */
export async function requireInvitation(
  db: Db,
  text: string,
  nowMs: number,
): Promise<Invitation & { workspaceName: string; isMailed: boolean }> {
  const hash = sha256(text)
  const row = await db
    .selectFrom("invitation")
    .innerJoin("workspace", "workspace.id", "invitation.workspace_id")
    .selectAll("invitation")
    .select("workspace.name")
    .where((row) => row.or([row("hash", "=", hash), row("mailed_hash", "=", hash)]))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst()
  const { name, ...invitation } = required(row, detail("accounts.deadInvitation"))
  return { ...toInvitation(invitation), workspaceName: name, isMailed: invitation.mailed_hash === hash }
}

/**
 * Makes the signed-in operator a member, and shows the workspace in the session. The operator needs both the
 * invited address and the link, since an account does not prove that its address is one's own. Throws
 * Refusal: `not_found`; `forbidden` when the invitation is for another address; `conflict` beyond `maxMembers`.
 */
export async function acceptInvitation(
  db: Db,
  session: Session,
  text: string,
  nowMs: number,
): Promise<Invitation> {
  return withLock(db, membership(session.operator.id), async (transaction) => {
    const invitation = await joinByInvitation(transaction, session.operator, text, nowMs)
    await reopenWorkspace(transaction, session, invitation.workspaceId)
    return invitation
  })
}

/**
 * Makes an account for the invited address unless it has one, and does not tell which: the inviting operator holds
 * the link too. By the link of the mail, which proves the address, an account whose address was not proven is theirs
 * from then on, with the new password (`proveAddress`). The account is a member of nothing until its holder signs in
 * by the link (`joinByLink`). Throws Refusal: `not_found`; `invalid_request` for a password that is not good.
 */
export async function makeInvitedAccount(
  db: Db,
  { text, password }: { text: string; password: string },
  nowMs: number,
): Promise<void> {
  const { email } = await requireInvitation(db, text, nowMs)
  const existing = await findOperator(db, email)
  // Takes as long for an address that has an account.
  const hash = await hashPassword(db, { email, password })
  const id = newId("opr", nowMs)
  await withLock(db, membership(existing?.id), async (transaction) => {
    const { isMailed } = await requireInvitation(transaction, text, nowMs)
    const proven_at = isMailed ? nowMs : null
    const row = { id, email, password_hash: hash, created_at: nowMs, proven_at }
    const isNew = await insertOperator(transaction, row)
    if (!isNew && existing && isMailed && (await proveAddress(transaction, existing, nowMs)))
      await storePassword(transaction, existing.id, hash)
  })
}

/** After the right password, for an invitation of that address. Throws Refusal as `acceptInvitation` does. */
export async function joinByLink(
  db: Db,
  operator: Operator,
  text: string,
  nowMs: number,
): Promise<Invitation> {
  return withLock(db, membership(operator.id), (transaction) =>
    joinByInvitation(transaction, operator, text, nowMs),
  )
}

/** The same in the caller's transaction. */
export async function joinByInvitation(
  transaction: Db,
  operator: Operator,
  text: string,
  nowMs: number,
): Promise<Invitation> {
  const invitation = await requireInvitation(transaction, text, nowMs)
  if (invitation.email !== operator.email)
    throw new Refusal("forbidden", detail("accounts.otherInvited", { email: invitation.email }))
  const members = await listMembers(transaction, invitation.workspaceId)
  if (members.every(({ id }) => id !== operator.id))
    requireRoom(members.length, maxMembers, "accounts.tooManyMembers")
  // Deletes the invitation as well.
  await addMember(transaction, { ...invitation, operatorId: operator.id }, nowMs)
  return invitation
}

function toInvitation(row: Row<"invitation">): Invitation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
