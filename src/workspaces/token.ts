import { createHash } from "node:crypto"
import type { Selectable } from "kysely"
import { hourMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { WorkspaceTables } from "../db/tables/workspaces.ts"
import { newId, randomText } from "../ids.ts"

/** A bearer credential of the management API, as it may be shown: what it opens is known to its holder alone. */
export interface Token {
  id: string
  workspaceId: string
  name: string
  scopes: string[]
  createdAt: number
  lastUsedAt: number | null
}

/** What a token without narrower scopes may do. */
const everyScope = "all"
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const shape = /^gch_[A-Za-z0-9]{43}$/
/** Every request would otherwise cost a durable write. */
const useRecordedEveryMs = hourMs

/** Makes a token for the workspace. `text` (`gch_` and 256 random bits) is shown once and not kept. */
export async function createToken(
  db: Db,
  workspaceId: string,
  name: string,
  nowMs: number,
): Promise<{ id: string; text: string }> {
  const id = newId("tok", nowMs)
  const text = `gch_${randomText(43, alphabet)}`
  await db
    .insertInto("token")
    .values({
      id,
      workspace_id: workspaceId,
      name,
      hash: hashOf(text),
      scopes: everyScope,
      created_at: nowMs,
      last_used_at: null,
    })
    .execute()
  return { id, text }
}

/** The token that `text` is, if it is one that still stands. */
export async function findToken(db: Db, text: string): Promise<Token | undefined> {
  if (!shape.test(text)) return undefined
  const row = await db.selectFrom("token").selectAll().where("hash", "=", hashOf(text)).executeTakeFirst()
  return row && token(row)
}

/** Keeps, to the hour, when the token was last used. */
export async function recordUse(db: Db, { id, lastUsedAt }: Token, nowMs: number): Promise<void> {
  if (lastUsedAt !== null && nowMs - lastUsedAt < useRecordedEveryMs) return
  await db.updateTable("token").set({ last_used_at: nowMs }).where("id", "=", id).execute()
}

export async function listTokens(db: Db, workspaceId?: string): Promise<Token[]> {
  const rows = await db
    .selectFrom("token")
    .selectAll()
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .orderBy("id", "desc")
    .execute()
  return rows.map(token)
}

/** False when there is no such token. What it opened is shut from the next request on. */
export async function revokeToken(db: Db, id: string, workspaceId?: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("token")
    .where("id", "=", id)
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}

function token(row: Selectable<WorkspaceTables["token"]>): Token {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    scopes: row.scopes.split(" "),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
