import type { Db } from "../db/connection.ts"
import { newId } from "../ids.ts"

export interface Workspace {
  id: string
  organisationId: string
  name: string
  createdAt: number
}

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

/** Adds a workspace to the oldest organisation, whose quota it then shares. */
export async function addWorkspace(db: Db, name: string, nowMs: number): Promise<string> {
  const id = newId("ws", nowMs)
  const organisation = await db
    .selectFrom("organisation")
    .select("id")
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto("workspace")
    .values({ id, organisation_id: organisation.id, name, created_at: nowMs })
    .execute()
  return id
}

export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  const rows = await db.selectFrom("workspace").selectAll().orderBy("id").execute()
  return rows.map((row) => ({
    id: row.id,
    organisationId: row.organisation_id,
    name: row.name,
    createdAt: row.created_at,
  }))
}
