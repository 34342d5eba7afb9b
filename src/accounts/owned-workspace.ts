import type { Db } from "../db/connection.ts"
import { withLock } from "../db/with-lock.ts"
import { fieldsOf } from "../http/record/fields.ts"
import { addMember } from "./operator.ts"
import { membership } from "./subjects.ts"
import { insertWorkspace } from "./workspace.ts"
import { newWorkspace } from "./workspaces/record.ts"

interface WorkspaceRequest {
  name: string
  /** Workspace whose organisation and quota the new one shares; the oldest when absent. */
  besideId?: string
  ownerIds: readonly string[]
}

/**
 * Adds a workspace together with its owners, in one transaction: a workspace without members would be invisible.
 * Resolves to its id. Throws Refusal `invalid_request`.
 */
export async function addOwnedWorkspace(
  db: Db,
  { name, besideId, ownerIds }: WorkspaceRequest,
  nowMs: number,
): Promise<string> {
  const right = fieldsOf({ name }, newWorkspace)
  return withLock(db, membership(), async (transaction) => {
    const workspaceId = await insertWorkspace(transaction, right.name, nowMs, besideId)
    for (const operatorId of ownerIds)
      await addMember(transaction, { workspaceId, operatorId, role: "owner" }, nowMs)
    return workspaceId
  })
}
