import type { OidcSettings } from "../../config/oidc.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows, findRow } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { listMembers, mayAct, type Operator, type Role } from "../operator.ts"
import { membership } from "../subjects.ts"
import { defaultWorkspaceId } from "../workspace.ts"

/**
 * Gives a member of the default workspace the role of their groups. The last owner stays one. Resolves to the role and
 * the workspace where it has changed.
 */
export async function followGroups(
  db: Db,
  { id }: Operator,
  groups: readonly string[],
  roles: OidcSettings["groups"],
): Promise<{ role: Role; workspaceId: string } | undefined> {
  const role = roleOf(groups, roles)
  return withLock(db, membership(id), async (transaction) => {
    const workspaceId = await defaultWorkspaceId(transaction)
    const row = { workspace_id: workspaceId, operator_id: id }
    const member = await findRow(transaction, "member", row)
    if (!member || member.role === role) return undefined
    const others = (await listMembers(transaction, workspaceId)).filter((other) => other.id !== id)
    if (member.role === "owner" && others.every((other) => other.role !== "owner")) return undefined
    await changeRows(transaction, "member", row, { role })
    return { role, workspaceId }
  })
}

/** The highest one; viewer without any. */
function roleOf(groups: readonly string[], roles: OidcSettings["groups"]): Role {
  return roles
    .filter(({ group }) => groups.includes(group))
    .reduce<Role>((highest, { role }) => (mayAct(role, highest) ? role : highest), "viewer")
}
