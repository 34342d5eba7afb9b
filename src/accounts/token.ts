import { hourMs } from "../base/clock.ts"
import { detail, required } from "../base/errors.ts"
import { sha256 } from "../base/hash.ts"
import { newId, randomText } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import type { Row } from "../db/schema.ts"
import type { PageRequest } from "../db/search.ts"
import { changeRows, findRow, insertRows, rowsOf } from "../db/store.ts"
import { everyScope } from "../operations/scope.ts"

/** A bearer token of the management API, without its text, which only its holder has. */
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
/** `last_used_at` is only this precise: every request would otherwise cost a durable write. */
const useRecordedEveryMs = hourMs

/** Creates a token. `text` (`gch_` and 256 random bits) is shown once; only its hash is stored. */
export async function createToken(
  db: Db,
  workspaceId: string,
  name: string,
  nowMs: number,
  scopes: readonly string[] = [everyScope],
): Promise<{ id: string; text: string }> {
  const id = newId("tok", nowMs)
  const text = `gch_${randomText(43, alphabet)}`
  await insertRows(db, "token", {
    id,
    workspace_id: workspaceId,
    name,
    hash: sha256(text),
    scopes: scopes.join(" "),
    created_at: nowMs,
    last_used_at: null,
  })
  return { id, text }
}

/** Finds a token by its text; undefined if it is unknown or revoked. */
export async function findToken(db: Db, text: string): Promise<Token | undefined> {
  if (!shape.test(text)) return undefined
  const row = await findRow(db, "token", { hash: sha256(text) })
  return row && token(row)
}

/** Stores the time of use, to the hour. */
export async function recordUse(db: Db, { id, lastUsedAt }: Token, nowMs: number): Promise<void> {
  if (lastUsedAt !== null && nowMs - lastUsedAt < useRecordedEveryMs) return
  await changeRows(db, "token", { id }, { last_used_at: nowMs })
}

/** Lists tokens newest first; `part`: at most `atMost`, starting after the token whose id is `after`. */
export async function listTokens(db: Db, workspaceId?: string, part?: PageRequest): Promise<Token[]> {
  return (await rowsOf(db, "token", { workspace_id: workspaceId }, part)).map(token)
}

/** Finds a token by its id: of the workspace, or of any one without it. Throws Refusal `not_found`. */
export async function requireToken(db: Db, id: string, workspaceId?: string): Promise<Token> {
  const row = await findRow(db, "token", { id, workspace_id: workspaceId })
  return token(required(row, detail("accounts.unknownToken", { id })))
}

function token(row: Row<"token">): Token {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    scopes: row.scopes.split(" "),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
