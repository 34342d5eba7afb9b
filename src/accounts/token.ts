import { createHash } from "node:crypto"
import type { Selectable } from "kysely"
import { hourMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { newId, randomText } from "../base/ids.ts"
import { isLongerThan } from "../base/text.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { WorkspaceTables } from "../db/tables/workspaces.ts"
import { requireRights } from "./rights.ts"
import { everyScope } from "./scope.ts"
import { longestName } from "./workspace.ts"

/**
 * A bearer credential of the management API, as it may be shown: what it opens is known to its holder alone.
 */
export interface Token {
  id: string
  workspaceId: string
  name: string
  scopes: string[]
  createdAt: number
  lastUsedAt: number | null
}

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
  scopes: readonly string[] = [everyScope],
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
      scopes: scopes.join(" "),
      created_at: nowMs,
      last_used_at: null,
    })
    .execute()
  return { id, text }
}

/** Of one workspace: a bound for whoever makes them in a loop. */
export const maxTokens = 200

/** A token made for somebody: by another token, or by an operator. */
export interface WantedToken {
  workspaceId: string
  name: string
  scopes: readonly string[]
  /** What whoever makes it may do itself. */
  heldScopes: readonly string[]
}

/**
 * Throws Refusal `invalid_request` without a scope or with a name that is none, `forbidden` for more than its
 * maker may do, `conflict` for one too many.
 */
export async function issueToken(
  db: Db,
  { workspaceId, name, scopes, heldScopes }: WantedToken,
  nowMs: number,
): Promise<{ id: string; text: string }> {
  if (scopes.length === 0)
    throw new Refusal("invalid_request", detail("accounts.noScope"), {
      fields: { scopes: detail("accounts.noScope") },
    })
  requireRights({ held: heldScopes, given: scopes }, "scopes")
  const checkedName = checkedTokenName(name)
  return db.transaction().execute(async (transaction) => {
    if (
      (await listTokens(transaction, workspaceId, { atMost: maxTokens, after: undefined })).length >=
      maxTokens
    )
      throw new Refusal("conflict", detail("accounts.tooManyTokens", { maximum: maxTokens }))
    return createToken(transaction, workspaceId, checkedName, nowMs, [...new Set(scopes)])
  })
}

/**
 * May be empty: a token need not have a name. One line, since lists show it in one. Throws Refusal
 * `invalid_request`.
 */
export function checkedTokenName(name: string): string {
  const trimmed = name.trim()
  if (!isLongerThan(trimmed, longestName) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed)) return trimmed
  throw new Refusal("invalid_request", detail("accounts.tokenName"), {
    fields: { name: detail("accounts.tokenName") },
    reason: `the name is longer than ${longestName} characters or holds control characters`,
  })
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

/** Newest first; `part`: at most so many, those after the token of id `after`. */
export async function listTokens(
  db: Db,
  workspaceId?: string,
  part?: { atMost: number; after: string | undefined },
): Promise<Token[]> {
  const rows = await db
    .selectFrom("token")
    .selectAll()
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .$if(part?.after !== undefined, (query) => query.where("id", "<", part?.after as string))
    .$if(part !== undefined, (query) => query.limit(part?.atMost as number))
    .orderBy("id", "desc")
    .execute()
  return rows.map(token)
}

/** A token of the workspace, by its id. */
export async function tokenOfId(db: Db, workspaceId: string, id: string): Promise<Token | undefined> {
  const row = await db
    .selectFrom("token")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  return row && token(row)
}

/** Throws Refusal `invalid_request` for a name that is none. */
export async function renameToken(db: Db, id: string, name: string): Promise<void> {
  await db
    .updateTable("token")
    .set({ name: checkedTokenName(name) })
    .where("id", "=", id)
    .execute()
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
