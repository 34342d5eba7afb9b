import type { Db } from "../db/connection.ts"

/** What a token adds beside its own workspace, it adds for itself. At least the workspace asked for. */
export async function sharingWith(db: Db, workspaceId: string): Promise<string[]> {
  const share = await shareId(db, workspaceId)
  const rows = await db
    .selectFrom("workspace")
    .select("id")
    .where((by) => by.or([by("id", "=", share), by("share_id", "=", share)]))
    .execute()
  return [...new Set([workspaceId, ...rows.map(({ id }) => id)])]
}

/** Names that part of the machine: the id of its first workspace, which may be gone. */
export async function shareId(db: Db, workspaceId: string): Promise<string> {
  const row = await db
    .selectFrom("workspace")
    .select("share_id")
    .where("id", "=", workspaceId)
    .executeTakeFirst()
  return row?.share_id ?? workspaceId
}
