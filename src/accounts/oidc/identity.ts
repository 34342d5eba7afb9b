import { detail, Refusal } from "../../base/errors.ts"
import { newSecretText } from "../../base/hash.ts"
import { newId } from "../../base/ids.ts"
import type { OidcSettings } from "../../config/oidc.ts"
import type { Db } from "../../db/connection.ts"
import { findRow, insertRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { joinByInvitation, requireInvitation } from "../invitation.ts"
import { addMember, findOperator, insertOperator, type Operator, storePassword } from "../operator.ts"
import { hashSecret } from "../password.ts"
import { proveAddress } from "../proven-address.ts"
import { hasSecondFactor, readSecondFactors } from "../second-factor/factors.ts"
import { membership } from "../subjects.ts"
import { defaultWorkspaceId } from "../workspace.ts"
import type { ProvenIdentity } from "./provider.ts"

/** How a person whom the provider has proven came to an account. */
export interface Admission {
  operator: Operator
  /** `provisioned`: an account was made. `joined`: an existing one got the identity. */
  how: "known" | "provisioned" | "joined"
  workspaceId?: string
}

/**
 * The account of an identity, found by issuer and subject alone. An unknown identity gets an account in two
 * ways. With the link of an invitation and an address that the provider has verified: a new account, or the
 * one of that address. With a verified address in a domain of the settings: a new account, or one whose
 * address was never proven (`proveAddress`). An address alone never leads to any other account. Throws
 * Refusal: `forbidden`; `not_found` for a dead invitation.
 */
export async function admit(
  db: Db,
  identity: ProvenIdentity,
  { link, domains }: { link: string | undefined; domains: OidcSettings["domains"] },
  nowMs: number,
): Promise<Admission> {
  const operator = await findByIdentity(db, identity)
  if (operator) return { operator, how: "known" }
  if (link !== undefined) return admitInvited(db, identity, link, nowMs)
  const email = identity.emails.find((each) => domains.includes(each.split("@").at(-1) ?? ""))
  if (email === undefined) throw new Refusal("forbidden", detail("accounts.unknownIdentity"))
  requireVerified(identity)
  return provision(db, identity, email, nowMs)
}

export async function findByIdentity(
  db: Db,
  { issuer, subject }: Pick<ProvenIdentity, "issuer" | "subject">,
): Promise<Operator | undefined> {
  return db
    .selectFrom("operator_identity")
    .innerJoin("operator", "operator.id", "operator_identity.operator_id")
    .select(["operator.id", "operator.email"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst()
}

/**
 * Joins an identity to an account, in a transaction that is alone on the accounts. Throws Refusal `conflict` when it
 * belongs to another one, or the account has another one of that provider.
 */
export async function joinIdentityTo(
  transaction: Db,
  { issuer, subject }: Pick<ProvenIdentity, "issuer" | "subject">,
  operatorId: string,
  nowMs: number,
): Promise<void> {
  const owner = await findByIdentity(transaction, { issuer, subject })
  if (owner?.id === operatorId) return
  if (owner) throw new Refusal("conflict", detail("accounts.identityTaken"))
  if (await findRow(transaction, "operator_identity", { operator_id: operatorId, issuer }))
    throw new Refusal("conflict", detail("accounts.otherIdentity"))
  await insertRows(transaction, "operator_identity", {
    issuer,
    subject,
    operator_id: operatorId,
    created_at: nowMs,
  })
}

async function admitInvited(db: Db, identity: ProvenIdentity, link: string, nowMs: number) {
  requireVerified(identity)
  const { email } = await requireInvitation(db, link, nowMs)
  if (!identity.emails.includes(email))
    throw new Refusal("forbidden", detail("accounts.otherInvited", { email }))
  const passwordHash = await unknownPassword()
  const existing = await findOperator(db, email)
  return withLock(db, membership(existing?.id), async (transaction) => {
    const invitation = await requireInvitation(transaction, link, nowMs)
    const wanted = { email, passwordHash, existing }
    const { operator, how, isProven } = await accountFor(transaction, wanted, nowMs)
    // The provider would skip a second step that its holder has added.
    if (isProven && hasSecondFactor(await readSecondFactors(transaction, operator.id)))
      throw new Refusal("forbidden", detail("accounts.joinFirst"))
    await joinIdentityTo(transaction, identity, operator.id, nowMs)
    await joinByInvitation(transaction, operator, link, nowMs)
    return { operator, how, workspaceId: invitation.workspaceId }
  })
}

interface WantedAccount {
  email: string
  passwordHash: string
  existing: Operator | undefined
}

/**
 * The account of an address that the provider has verified; makes it if need be. An account with an unproven
 * address becomes the holder's from then on: its password may have been chosen by an inviter, who has the
 * link too. `isProven`: the account was its holder's before.
 */
async function accountFor(
  transaction: Db,
  { email, passwordHash, existing }: WantedAccount,
  nowMs: number,
): Promise<Pick<Admission, "operator" | "how"> & { isProven: boolean }> {
  const id = newId("opr", nowMs)
  const row = { id, email, password_hash: passwordHash, created_at: nowMs, proven_at: nowMs }
  if (await insertOperator(transaction, row))
    return { operator: { id, email }, how: "provisioned", isProven: false }
  if (!existing) throw new Refusal("conflict", detail("accounts.deadAttempt"))
  const operator = { id: existing.id, email }
  const isProven = !(await proveAddress(transaction, operator, nowMs))
  if (!isProven) await storePassword(transaction, operator.id, passwordHash)
  return { operator, how: "joined", isProven }
}

async function provision(db: Db, identity: ProvenIdentity, email: string, nowMs: number): Promise<Admission> {
  const passwordHash = await unknownPassword()
  const existing = await findOperator(db, email)
  return withLock(db, membership(existing?.id), async (transaction) => {
    const workspaceId = await defaultWorkspaceId(transaction)
    const wanted = { email, passwordHash, existing }
    const { operator, how, isProven } = await accountFor(transaction, wanted, nowMs)
    if (isProven) throw new Refusal("forbidden", detail("accounts.joinFirst"))
    await joinIdentityTo(transaction, identity, operator.id, nowMs)
    const row = { workspace_id: workspaceId, operator_id: operator.id }
    if (!(await findRow(transaction, "member", row)))
      await addMember(transaction, { workspaceId, operatorId: operator.id, role: "viewer" }, nowMs)
    return { operator, how, workspaceId }
  })
}

function requireVerified({ isEmailVerified }: ProvenIdentity): void {
  if (!isEmailVerified) throw new Refusal("forbidden", detail("accounts.unverifiedEmail"))
}

/** Password of an account that signs in by the provider: unknown to all; its owner can choose another by a link. */
function unknownPassword(): Promise<string> {
  return hashSecret(newSecretText())
}
