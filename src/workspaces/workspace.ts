import type { Db } from "../db/connection.ts"
import { newId } from "../ids.ts"

/** Makes the one organisation and workspace that a new database holds. */
export async function ensureDefaultWorkspace(db: Db, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const existing = await transaction.selectFrom("workspace").select("id").limit(1).executeTakeFirst()
    if (existing) return
    const organisation = { id: newId("org", nowMs), name: "Organisation", created_at: nowMs }
    await transaction.insertInto("organisation").values(organisation).execute()
    await transaction
      .insertInto("workspace")
      .values({ id: newId("ws", nowMs), organisation_id: organisation.id, name: "Espace", created_at: nowMs })
      .execute()
  })
}

/** The oldest workspace: what a command means that names none. */
export async function defaultWorkspaceId(db: Db): Promise<string> {
  const { id } = await db
    .selectFrom("workspace")
    .select("id")
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
