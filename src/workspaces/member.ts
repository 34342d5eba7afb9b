import type { Db } from "../db/connection.ts"
import type { Role } from "../db/tables/operators.ts"
import { Refusal } from "../errors.ts"
import { randomText } from "../ids.ts"
import { addMember, addOperator, findOperator, listMembers, type Member, roles } from "./operator.ts"
import { sentences } from "./sentences.ts"

/** Without letters and digits that look alike: it is read aloud, or typed from a sheet of paper, once. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"
const passwordLength = 20

/**
 * Makes a member of the workspace of whoever has the address. Who has no account gets one, with a password to be handed over
 * and then changed; `password` is null for who had one. Throws Refusal `invalid_request`, or `conflict` for a member.
 */
export async function inviteMember(
  db: Db,
  wanted: { workspaceId: string; email: string; role: string },
  nowMs: number,
): Promise<{ member: Member; password: string | null }> {
  const { workspaceId, email } = wanted
  const role = checkedRole(wanted.role)
  const existing = await findOperator(db, email)
  if (!existing) {
    const password = randomText(passwordLength, alphabet)
    const { id } = await addOperator(db, { email, password, workspaceId, role }, nowMs)
    return { member: (await findMember(db, workspaceId, id)) as Member, password }
  }
  await db.transaction().execute(async (transaction) => {
    if (await findMember(transaction, workspaceId, existing.id))
      throw new Refusal("conflict", sentences.memberExists, {
        fields: { email: sentences.memberExists },
        reason: `${existing.email} is a member already: guichet operator password changes its password`,
      })
    await addMember(transaction, { workspaceId, operatorId: existing.id, role }, nowMs)
  })
  return { member: (await findMember(db, workspaceId, existing.id)) as Member, password: null }
}

export async function findMember(
  db: Db,
  workspaceId: string,
  operatorId: string,
): Promise<Member | undefined> {
  return (await listMembers(db, workspaceId)).find(({ id }) => id === operatorId)
}

/** Throws Refusal: `not_found`, `conflict` for the last owner. */
export async function changeRole(
  db: Db,
  { workspaceId, operatorId, role }: { workspaceId: string; operatorId: string; role: string },
): Promise<Member> {
  const checked = checkedRole(role)
  return db.transaction().execute(async (transaction) => {
    const member = await known(transaction, workspaceId, operatorId)
    if (checked !== "owner") await requireAnotherOwner(transaction, workspaceId, member)
    await transaction
      .updateTable("member")
      .set({ role: checked })
      .where("workspace_id", "=", workspaceId)
      .where("operator_id", "=", operatorId)
      .execute()
    return { ...member, role: checked }
  })
}

/** Who is a member of no other workspace goes altogether. Throws Refusal: `not_found`, `conflict` for the last owner. */
export async function removeMember(db: Db, workspaceId: string, operatorId: string): Promise<Member> {
  return db.transaction().execute(async (transaction) => {
    const member = await known(transaction, workspaceId, operatorId)
    await requireAnotherOwner(transaction, workspaceId, member)
    await transaction
      .deleteFrom("member")
      .where("workspace_id", "=", workspaceId)
      .where("operator_id", "=", operatorId)
      .execute()
    await transaction
      .deleteFrom("operator")
      .where("id", "=", operatorId)
      .where("id", "not in", (query) => query.selectFrom("member").select("operator_id"))
      .execute()
    return member
  })
}

async function known(db: Db, workspaceId: string, operatorId: string): Promise<Member> {
  const member = await findMember(db, workspaceId, operatorId)
  if (!member) throw new Refusal("not_found", sentences.unknownOperator)
  return member
}

/** A workspace that nobody may manage would be lost to its people. */
async function requireAnotherOwner(db: Db, workspaceId: string, leaving: Member): Promise<void> {
  const others = (await listMembers(db, workspaceId)).filter(
    ({ id, role }) => id !== leaving.id && role === "owner",
  )
  if (leaving.role === "owner" && others.length === 0)
    throw new Refusal("conflict", sentences.lastOwner, { fields: { role: sentences.lastOwner } })
}

function checkedRole(role: string): Role {
  const known = roles.find((each) => each === role)
  if (known) return known
  throw new Refusal("invalid_request", sentences.role(roles), { fields: { role: sentences.role(roles) } })
}
