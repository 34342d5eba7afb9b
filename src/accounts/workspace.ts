import { type Selectable, sql } from "kysely"
import { detail, Refusal } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import { isLongerThan } from "../base/text.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { WorkspaceTables } from "../db/tables/workspaces.ts"

export const longestName = 200
/** Of one organisation. */
export const maxWorkspaces = 500

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

/**
 * Workspaces as they were added: neither ids of one millisecond nor those of a clock that was set back are in
 * that order.
 */
const asAdded = sql`rowid`

/**
 * The workspace of the first start: what a command means that names none. It stays, so that another
 * customer's never takes its place.
 */
export async function defaultWorkspaceId(db: Db): Promise<string> {
  const { id } = await db
    .selectFrom("workspace")
    .select("id")
    .orderBy(asAdded)
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Adds a workspace beside another, whose organisation and quota it then shares; beside the default one
 * without one.
 */
export async function addWorkspace(db: Db, name: string, nowMs: number, besideId?: string): Promise<string> {
  const id = newId("ws", nowMs)
  const organisation = await db
    .selectFrom("workspace")
    .select("organisation_id as id")
    .$if(besideId !== undefined, (query) => query.where("id", "=", besideId as string))
    .orderBy(asAdded)
    .limit(1)
    .executeTakeFirstOrThrow()
  if (besideId !== undefined) await refuseFull(db, organisation.id)
  await db
    .insertInto("workspace")
    .values({ id, organisation_id: organisation.id, name: checkedName(name), created_at: nowMs })
    .execute()
  return id
}

/**
 * Whoever may make workspaces from within one can make them in a loop; the command line may have as many as
 * it likes.
 */
async function refuseFull(db: Db, organisationId: string): Promise<void> {
  const { count } = await db
    .selectFrom("workspace")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .executeTakeFirstOrThrow()
  if (count >= maxWorkspaces)
    throw new Refusal("conflict", detail("accounts.tooManyWorkspaces", { maximum: maxWorkspaces }))
}

export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  return (await db.selectFrom("workspace").selectAll().orderBy(asAdded).execute()).map(workspace)
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  const row = await db.selectFrom("workspace").selectAll().where("id", "=", id).executeTakeFirst()
  return row && workspace(row)
}

export async function renameWorkspace(db: Db, id: string, name: string): Promise<void> {
  await db
    .updateTable("workspace")
    .set({ name: checkedName(name) })
    .where("id", "=", id)
    .execute()
}

/**
 * With everything in it, and with who is a member of no other. Throws Refusal `conflict` for the default one.
 */
export async function removeWorkspace(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await refuseDefaultWorkspace(transaction, id)
    await transaction.deleteFrom("workspace").where("id", "=", id).execute()
    await transaction
      .deleteFrom("operator")
      .where("id", "not in", (query) => query.selectFrom("member").select("operator_id"))
      .execute()
  })
}

/** Throws Refusal `conflict`. */
export async function refuseDefaultWorkspace(db: Db, id: string): Promise<void> {
  if (id !== (await defaultWorkspaceId(db))) return
  throw new Refusal("conflict", detail("accounts.defaultWorkspace"), {
    reason: "it is the default workspace",
  })
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed !== "" && !isLongerThan(trimmed, longestName)) return trimmed
  throw new Refusal("invalid_request", detail("accounts.workspaceName"), {
    fields: { name: detail("accounts.workspaceName") },
    reason: `the name is to have 1 to ${longestName} characters`,
  })
}

function workspace(row: Selectable<WorkspaceTables["workspace"]>): Workspace {
  return { id: row.id, organisationId: row.organisation_id, name: row.name, createdAt: row.created_at }
}
