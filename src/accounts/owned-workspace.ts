import type { Db } from "../db/sqlite/connection.ts"
import { addMember } from "./operator.ts"
import { addWorkspace } from "./workspace.ts"

interface Wanted {
  name: string
  /** The workspace whose organisation and quota it shares; the oldest when absent. */
  besideId?: string
  ownerIds: readonly string[]
}

/**
 * Adds a workspace together with who owns it: one that nobody is a member of can be seen by nobody. Resolves
 * to its id.
 */
export async function addOwnedWorkspace(
  db: Db,
  { name, besideId, ownerIds }: Wanted,
  nowMs: number,
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    const workspaceId = await addWorkspace(transaction, name, nowMs, besideId)
    for (const operatorId of ownerIds)
      await addMember(transaction, { workspaceId, operatorId, role: "owner" }, nowMs)
    return workspaceId
  })
}
