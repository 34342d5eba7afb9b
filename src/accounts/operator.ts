import { type Detail, detail, Refusal } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import { maxEmailLength } from "../base/text.ts"
import type { Db } from "../db/connection.ts"
import type { Row } from "../db/schema.ts"
import { findRow } from "../db/store.ts"
import type { Role } from "../db/tables/operators.ts"
import { withLock } from "../db/with-lock.ts"
import { hashPassword } from "./password.ts"
import { membership, sessionsLock } from "./subjects.ts"
import { listWorkspaces } from "./workspace.ts"

export type { Role }

export interface Operator {
  id: string
  email: string
}

export interface Member extends Operator {
  role: Role
  createdAt: number
}

interface NewOperator {
  email: string
  password: string
  workspaceId: string
  role: Role
}

/** In ascending order of rights. */
export const roles: readonly Role[] = ["viewer", "editor", "owner"]

export function mayAct(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/**
 * Creates an operator as a member of a workspace, for the owner of the machine, who vouches for the address. Throws
 * Refusal: `invalid_request` with an entry for each invalid field; `conflict` when the address has an account already.
 */
export async function addOperator(db: Db, wanted: NewOperator, nowMs: number): Promise<Operator> {
  const { email, hash } = await checked(db, wanted)
  const id = newId("opr", nowMs)
  await withLock(db, membership(), async (transaction) => {
    await insertNew(transaction, { id, email, password_hash: hash, created_at: nowMs, proven_at: nowMs })
    await addMember(
      transaction,
      { workspaceId: wanted.workspaceId, operatorId: id, role: wanted.role },
      nowMs,
    )
  })
  return { id, email }
}

/**
 * Creates the first owner, who owns every workspace: workspaces made earlier on the command line have no
 * other owner. Throws Refusal `conflict` when an owner exists already.
 */
export async function addFirstOperator(
  db: Db,
  wanted: Pick<NewOperator, "email" | "password">,
  nowMs: number,
): Promise<Operator> {
  const { email, hash } = await checked(db, wanted)
  const id = newId("opr", nowMs)
  await withLock(db, membership(), async (transaction) => {
    if (await hasOwner(transaction)) throw new Refusal("conflict", detail("accounts.operatorExists"))
    await insertNew(transaction, { id, email, password_hash: hash, created_at: nowMs, proven_at: nowMs })
    for (const workspace of await listWorkspaces(transaction))
      await addMember(transaction, { workspaceId: workspace.id, operatorId: id, role: "owner" }, nowMs)
    await transaction.deleteFrom("setup_link").execute()
  })
  return { id, email }
}

/** In the caller's transaction. Changes the role of a member, and deletes the operator's invitation. */
export async function addMember(
  transaction: Db,
  { workspaceId, operatorId, role }: { workspaceId: string; operatorId: string; role: Role },
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("member")
    .values({ workspace_id: workspaceId, operator_id: operatorId, role, created_at: nowMs })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "operator_id"]).doUpdateSet({ role, by_groups: 0 }),
    )
    .execute()
  await transaction
    .deleteFrom("invitation")
    .where("workspace_id", "=", workspaceId)
    .where("email", "=", (query) =>
      query.selectFrom("operator").select("email").where("id", "=", operatorId).$asScalar(),
    )
    .execute()
}

/**
 * Sets a new password and signs the operator out everywhere. With `presentHash`, resolves to false and
 * changes nothing if the stored hash is another one by now (optimistic locking). Throws Refusal
 * `invalid_request`.
 */
export async function changePassword(db: Db, operatorId: string, password: string, presentHash?: string) {
  const email = (await findAccount(db, operatorId))?.email ?? ""
  const hash = await hashPassword(db, { email, password })
  return withLock(db, sessionsLock(operatorId), (transaction) =>
    storePassword(transaction, operatorId, hash, presentHash),
  )
}

/** The same with a password that is hashed already, in a transaction that is alone on the operator's sessions. */
export async function storePassword(transaction: Db, operatorId: string, hash: string, presentHash?: string) {
  const changed = await transaction
    .updateTable("operator")
    .set({ password_hash: hash })
    .where("id", "=", operatorId)
    .$if(presentHash !== undefined, (query) => query.where("password_hash", "=", presentHash as string))
    .returning("email")
    .executeTakeFirst()
  if (!changed) return false
  await transaction.deleteFrom("session").where("operator_id", "=", operatorId).execute()
  await transaction.deleteFrom("password_link").where("email", "=", changed.email).execute()
  return true
}

export async function hasOperator(db: Db): Promise<boolean> {
  return (await db.selectFrom("operator").select("id").limit(1).executeTakeFirst()) !== undefined
}

/** Whether any workspace has an owner. Until then the service still has to be set up. */
export async function hasOwner(db: Db): Promise<boolean> {
  const owner = await db.selectFrom("member").select("role").where("role", "=", "owner").executeTakeFirst()
  return owner !== undefined
}

export interface Account extends Operator {
  passwordHash: string
}

export async function findOperator(db: Db, email: string): Promise<Account | undefined> {
  const row = await findRow(db, "operator", { email: normaliseEmail(email) })
  return row && toAccount(row)
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const row = await findRow(db, "operator", { id })
  return row && toAccount(row)
}

function toAccount(row: Row<"operator">): Account {
  return { id: row.id, email: row.email, passwordHash: row.password_hash }
}

export async function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom("member")
    .innerJoin("operator", "operator.id", "member.operator_id")
    .select(["operator.id", "email", "role", "member.created_at as createdAt"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("member.created_at")
    .orderBy("operator.id")
    .execute()
  return rows
}

/** The form in which an address is stored and compared. Empty, which no account has, when it is too long. */
export function normaliseEmail(email: string): string {
  const trimmed = email.trim()
  return trimmed.length > maxEmailLength ? "" : trimmed.normalize("NFC").toLowerCase()
}

/** The normalised address. Throws Refusal `invalid_request` for an invalid one. */
export function checkedEmail(email: string): string {
  if (isEmail(email)) return normaliseEmail(email)
  throw new Refusal("invalid_request", detail("accounts.invalidOperator"), {
    fields: { email: detail("accounts.operatorEmail") },
  })
}

export function isEmail(email: string): boolean {
  return email.length <= maxEmailLength && /^[^\s@]{1,64}@[^\s@]{1,253}$/.test(normaliseEmail(email))
}

async function checked(db: Db, { email, password }: { email: string; password: string }) {
  const fields: Record<string, Detail> = {}
  if (!isEmail(email)) fields["email"] = detail("accounts.operatorEmail")
  const typed = { email: normaliseEmail(email), password }
  const hash = await hashPassword(db, typed).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "invalid_request") throw error
    Object.assign(fields, error.fields)
    return ""
  })
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("accounts.invalidOperator"), { fields })
  return { email: typed.email, hash }
}

/** Inserts in the caller's transaction. Resolves to false when the address has an account already. */
export async function insertOperator(
  transaction: Db,
  row: { id: string; email: string; password_hash: string; created_at: number; proven_at: number | null },
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("operator")
    .values(row)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
}

/** Throws Refusal `conflict` when the address has an account already. */
async function insertNew(transaction: Db, row: Parameters<typeof insertOperator>[1]) {
  if (await insertOperator(transaction, row)) return
  const taken = detail("accounts.emailTaken", { email: row.email })
  throw new Refusal("conflict", taken, { fields: { email: taken } })
}
