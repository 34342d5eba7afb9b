import type { Db } from "../db/connection.ts"
import { withLock } from "../db/with-lock.ts"
import { addMember } from "./operator.ts"
import { membership } from "./subjects.ts"
import { insertWorkspace } from "./workspace.ts"

interface WorkspaceRequest {
  name: string
  /** Workspace whose organisation and quota the new one shares; the oldest when absent. */
  besideId?: string
  ownerIds: readonly string[]
}

/**
 * Adds a workspace together with its owners, in one transaction: a workspace without members would be invisible.
 * Resolves to its id.
 */
export async function addOwnedWorkspace(
  db: Db,
  { name, besideId, ownerIds }: WorkspaceRequest,
  nowMs: number,
): Promise<string> {
  return withLock(db, membership(), async (transaction) => {
    const workspaceId = await insertWorkspace(transaction, name, nowMs, besideId)
    for (const operatorId of ownerIds)
      await addMember(transaction, { workspaceId, operatorId, role: "owner" }, nowMs)
    return workspaceId
  })
}
