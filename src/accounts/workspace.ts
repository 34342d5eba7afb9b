import { type ExpressionBuilder, sql } from "kysely"
import { detail, Refusal, required, requireRoom } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import type { Row, Schema } from "../db/schema.ts"
import { countOf, findRow, insertRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import { membership, projectsLock } from "./subjects.ts"

/** In code points, of a workspace or a token. */
export const maxNameLength = 200
/** Per organisation. */
export const maxWorkspaces = 500

export interface Workspace {
  id: string
  organisationId: string
  name: string
  createdAt: number
  /** Members without a second factor are led to add one before anything else. */
  requiresSecondFactor: boolean
}

export async function ensureDefaultWorkspace(db: Db, nowMs: number): Promise<void> {
  // Looked for without a lock first, which another program may hold.
  if (await hasWorkspace(db)) return
  await withLock(db, membership(), async (transaction) => {
    if (await hasWorkspace(transaction)) return
    const organisation = { id: newId("org", nowMs), name: "Organisation", created_at: nowMs }
    await transaction.insertInto("organisation").values(organisation).execute()
    await insertRows(transaction, "workspace", {
      id: newId("ws", nowMs),
      organisation_id: organisation.id,
      name: "Espace",
      created_at: nowMs,
      number: 1,
    })
  })
}

async function hasWorkspace(db: Db): Promise<boolean> {
  return (await db.selectFrom("workspace").select("id").limit(1).executeTakeFirst()) !== undefined
}

/** The one of the first start. It cannot be removed, so that no other customer's becomes the default. */
export async function defaultWorkspaceId(db: Db): Promise<string> {
  const { id } = await db
    .selectFrom("workspace")
    .select("id")
    .orderBy("number")
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

export async function installedAt(db: Db): Promise<number> {
  const { at } = await db
    .selectFrom("workspace")
    .select("created_at as at")
    .orderBy("number")
    .limit(1)
    .executeTakeFirstOrThrow()
  return at
}

/** Whether a workspace is the default one, which belongs to the installation's administrator and to no customer. */
export async function isDefaultWorkspace(db: Db, id: string): Promise<boolean> {
  return id === (await defaultWorkspaceId(db))
}

/** Shares the quota of `besideId`'s organisation, by default the oldest one. Resolves to its id. */
export async function insertWorkspace(db: Db, name: string, nowMs: number, besideId?: string) {
  const id = newId("ws", nowMs)
  const organisation = await db
    .selectFrom("workspace")
    .select("organisation_id as id")
    .$if(besideId !== undefined, (query) => query.where("id", "=", besideId as string))
    .orderBy("number")
    .limit(1)
    .executeTakeFirstOrThrow()
  if (besideId !== undefined) await refuseFull(db, organisation.id)
  await db
    .insertInto("workspace")
    .values((row) => ({
      id,
      organisation_id: organisation.id,
      name: name,
      created_at: nowMs,
      number: nextNumber(row),
    }))
    .execute()
  return id
}

function nextNumber({ selectFrom }: ExpressionBuilder<Schema, "workspace">) {
  return selectFrom("workspace").select(({ fn }) => sql<number>`${fn.max("number")} + 1`.as("number"))
}

/** Bounds a program that adds workspaces in a loop from within one. The command line has no such limit. */
async function refuseFull(db: Db, organisationId: string): Promise<void> {
  const count = await countOf(db, "workspace", { organisation_id: organisationId })
  requireRoom(count, maxWorkspaces, "accounts.tooManyWorkspaces")
}

export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  return (await db.selectFrom("workspace").selectAll().orderBy("number").execute()).map(workspace)
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  const row = await findRow(db, "workspace", { id })
  return row && workspace(row)
}

/** Throws Refusal `not_found`, also unless it is `ownId`, the only one that a caller knows of. */
export async function requireWorkspace(db: Db, id: string, ownId = id): Promise<Workspace> {
  const workspace = id === ownId ? await findWorkspace(db, id) : undefined
  return required(workspace, detail("accounts.unknownWorkspace", { id }))
}

/**
 * Removes a workspace with its contents, and the operators who are members of no other. Resolves to false, and
 * removes nothing, while it has a project: the caller erases what a project's forms received. Throws Refusal
 * `conflict` for the default workspace.
 */
export async function removeWorkspace(db: Db, id: string): Promise<boolean> {
  return withLock(db, [...membership(), projectsLock(id)], async (transaction) => {
    await refuseDefaultWorkspace(transaction, id)
    const project = transaction.selectFrom("project").select("id").where("workspace_id", "=", id).limit(1)
    if (await project.executeTakeFirst()) return false
    await transaction.deleteFrom("workspace").where("id", "=", id).execute()
    await transaction
      .deleteFrom("operator")
      .where("id", "not in", (query) => query.selectFrom("member").select("operator_id"))
      .execute()
    return true
  })
}

/** Throws Refusal `conflict` for the default workspace. */
export async function refuseDefaultWorkspace(db: Db, id: string): Promise<void> {
  if (!(await isDefaultWorkspace(db, id))) return
  throw new Refusal("conflict", detail("accounts.defaultWorkspace"))
}

function workspace(row: Row<"workspace">): Workspace {
  return {
    id: row.id,
    organisationId: row.organisation_id,
    name: row.name,
    createdAt: row.created_at,
    requiresSecondFactor: row.requires_second_factor === 1,
  }
}
