import { detail, Refusal, required } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { deleteRows } from "../db/store.ts"
import type { Role } from "../db/tables/operators.ts"
import { withLock } from "../db/with-lock.ts"
import { roleScopes } from "../operations/scope.ts"
import { type Invitation, listInvitations } from "./invitation.ts"
import { addMember, listMembers, type Member, type Operator } from "./operator.ts"
import { requireRights } from "./rights.ts"
import { membersWithSecondFactor } from "./second-factor/factors.ts"
import { closeSessionsIn } from "./session.ts"
import { membership } from "./subjects.ts"

/** A member of a workspace, or a person with a pending invitation, with the invitation's id. */
export interface Person extends Member {
  state: "active" | "invited"
  /** When the invitation expires; null for a member. */
  expiresAt: number | null
  /** Whether the password alone does not sign them in. */
  secondFactor: boolean
}

/** A person of a workspace, and `held`: the scopes of the caller who acts on that person. */
export interface Target {
  workspaceId: string
  id: string
  held: readonly string[]
}

/** Members, then invited people, each oldest first. */
export async function listPeople(db: Db, workspaceId: string, nowMs: number): Promise<Person[]> {
  const members = await listMembers(db, workspaceId)
  const invitations = await listInvitations(db, workspaceId, nowMs)
  const protectedOnes = await membersWithSecondFactor(db, workspaceId)
  return [
    ...members.map((member) => active(member, protectedOnes.has(member.id))),
    ...invitations.map(invited),
  ]
}

/** Throws Refusal `not_found`. */
export async function requirePerson(
  db: Db,
  { workspaceId, id }: Pick<Target, "workspaceId" | "id">,
  nowMs: number,
): Promise<Person> {
  const person = (await listPeople(db, workspaceId, nowMs)).find((each) => each.id === id)
  return required(person, detail("accounts.unknownOperator", { id }))
}

/** Throws Refusal: `not_found`, also for a person who is only invited; `forbidden` beyond the caller's scopes. */
export async function requireMember(db: Db, target: Target, nowMs: number): Promise<Person> {
  const person = await requirePerson(db, target, nowMs)
  if (person.state === "invited") throw new Refusal("not_found", detail("accounts.invited"))
  requireRights({ granted: target.held, needed: roleScopes(person.role) })
  return person
}

/** Only the command line does so, for the owner of the machine. Throws Refusal `conflict` for a member. */
export async function addExistingOperator(
  db: Db,
  { workspaceId, operator, role }: { workspaceId: string; operator: Operator; role: Role },
  nowMs: number,
): Promise<void> {
  await withLock(db, membership(operator.id), async (transaction) => {
    if ((await listMembers(transaction, workspaceId)).some(({ id }) => id === operator.id))
      throw new Refusal("conflict", detail("accounts.memberExists", { email: operator.email }), {
        fields: { email: detail("accounts.memberExists", { email: operator.email }) },
      })
    await addMember(transaction, { workspaceId, operatorId: operator.id, role }, nowMs)
  })
}

/** Closes the sessions first: one left open would show the workspace again after a new invitation. */
export async function removeMember(transaction: Db, workspaceId: string, operatorId: string): Promise<void> {
  await closeSessionsIn(transaction, operatorId, workspaceId)
  await deleteRows(transaction, "member", { workspace_id: workspaceId, operator_id: operatorId })
  await transaction
    .deleteFrom("operator")
    .where("id", "=", operatorId)
    .where("id", "not in", (query) => query.selectFrom("member").select("operator_id"))
    .execute()
}

/** Refuses to take away the last owner, without whom the workspace could not be managed any more. */
export async function requireAnotherOwner(db: Db, workspaceId: string, leaving: Person): Promise<void> {
  const others = (await listMembers(db, workspaceId)).filter(
    ({ id, role }) => id !== leaving.id && role === "owner",
  )
  if (leaving.state === "active" && leaving.role === "owner" && others.length === 0)
    throw new Refusal("conflict", detail("accounts.lastOwner"), {
      fields: { role: detail("accounts.lastOwner") },
    })
}

function active(member: Member, secondFactor: boolean): Person {
  return { ...member, state: "active", expiresAt: null, secondFactor }
}

function invited({ id, email, role, createdAt, expiresAt }: Invitation): Person {
  return { id, email, role, createdAt, state: "invited", expiresAt, secondFactor: false }
}
