import type { OidcSettings } from "../../config/oidc.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows, findRow } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { listMembers, mayAct, type Operator, type Role } from "../operator.ts"
import { membership } from "../subjects.ts"
import { defaultWorkspaceId } from "../workspace.ts"

export interface RoleChange {
  workspaceId: string
  from: Role
  to: Role
}

/**
 * Gives a member of the default workspace the role of their groups. Without groups that are told, a role that groups
 * gave goes, and any other stays. The last owner stays one. Resolves to the change, undefined where there was none.
 */
export async function followGroups(
  db: Db,
  { id }: Operator,
  groups: readonly string[] | undefined,
  roles: OidcSettings["groups"],
): Promise<RoleChange | undefined> {
  const role = highestRole(groups ?? [], roles)
  return withLock(db, membership(id), async (transaction) => {
    const workspaceId = await defaultWorkspaceId(transaction)
    const row = { workspace_id: workspaceId, operator_id: id }
    const member = await findRow(transaction, "member", row)
    if (!member || (groups === undefined && member.by_groups === 0)) return undefined
    const others = (await listMembers(transaction, workspaceId)).filter((other) => other.id !== id)
    const isLastOwner = member.role === "owner" && others.every((other) => other.role !== "owner")
    if (isLastOwner && role !== "owner") return undefined
    await changeRows(transaction, "member", row, { role, by_groups: groups === undefined ? 0 : 1 })
    return member.role === role ? undefined : { workspaceId, from: member.role, to: role }
  })
}

function highestRole(groups: readonly string[], roles: OidcSettings["groups"]): Role {
  return roles
    .filter(({ group }) => groups.includes(group))
    .reduce<Role>((highest, { role }) => (mayAct(role, highest) ? role : highest), "viewer")
}
