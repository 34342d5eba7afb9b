import { dayMs, hourMs } from "../base/clock.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import { sha256 } from "../base/hash.ts"
import { newId, randomText } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import { deleteBelongings, deleteInSteps } from "../db/delete-in-steps.ts"
import type { Row } from "../db/schema.ts"
import type { PageRequest } from "../db/search.ts"
import { changeRows, deleteRows, findRow, insertRows, rowsOf } from "../db/store.ts"
import type { Caller } from "../operations/operation.ts"
import { everyScope } from "../operations/scope.ts"

/** A bearer token of the management API, without its text, which only its holder has. */
export interface Token {
  id: string
  workspaceId: string
  name: string
  scopes: string[]
  createdAt: number
  lastUsedAt: number | null
  /** When it opens nothing any more; null: never. */
  expiresAt: number | null
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const shape = /^gch_[A-Za-z0-9]{43}$/
/** Revoked ones of a workspace: a bound for a program that makes and revokes tokens in a loop. */
const maxRemembered = 1000
const rememberedMs = 365 * dayMs
/** `last_used_at` is only this precise: every request would otherwise cost a durable write. */
const useRecordedEveryMs = hourMs

/** Creates a token. `text` (`gch_` and 256 random bits) is shown once; only its hash is stored. */
export async function createToken(
  db: Db,
  workspaceId: string,
  name: string,
  nowMs: number,
  scopes: readonly string[] = [everyScope],
  expiresAt: number | null = null,
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
    expires_at: expiresAt,
  })
  return { id, text }
}

/** Finds a token by its text, expired or not; undefined if it is unknown or revoked (`isRevoked`). */
export async function findToken(db: Db, text: string): Promise<Token | undefined> {
  if (!shape.test(text)) return undefined
  const row = await findRow(db, "token", { hash: sha256(text) })
  return row && token(row)
}

/** Whether a text that opens nothing is that of a token that was revoked, as far as that is remembered. */
export async function isRevoked(db: Db, text: string): Promise<boolean> {
  return shape.test(text) && (await findRow(db, "revoked_token", { hash: sha256(text) })) !== undefined
}

export function isExpired({ expiresAt }: Token, nowMs: number): boolean {
  return expiresAt !== null && expiresAt <= nowMs
}

/** What a token with an end makes ends with it at the latest. Throws Refusal `forbidden` for a later end. */
export async function expiryWithin(
  db: Db,
  caller: Pick<Caller, "kind" | "id">,
  wanted: number | null,
): Promise<number | null> {
  const own = caller.kind === "token" ? (await findRow(db, "token", { id: caller.id }))?.expires_at : null
  if (own == null) return wanted
  if (wanted !== null && wanted > own)
    throw new Refusal("forbidden", detail("accounts.expiryBeyond"), {
      fields: { expires_at: detail("accounts.expiryBeyond") },
    })
  return wanted ?? own
}

/** Revokes a token: the next request with it is refused, and told why. */
export async function revokeToken(db: Db, { id, workspaceId }: Token, nowMs: number): Promise<void> {
  await deleteBelongings(db, "token", [id])
  await db.transaction().execute(async (transaction) => {
    const [row] = await deleteRows(transaction, "token", { id })
    if (!row) return
    const revoked = { hash: row.hash, workspace_id: workspaceId, revoked_at: nowMs }
    await insertRows(transaction, "revoked_token", revoked)
    await transaction
      .deleteFrom("revoked_token")
      .where("hash", "in", (query) =>
        query
          .selectFrom("revoked_token")
          .select("hash")
          .where("workspace_id", "=", workspaceId)
          .orderBy("revoked_at", "desc")
          // SQLite knows no OFFSET without LIMIT.
          .limit(1000)
          .offset(maxRemembered),
      )
      .execute()
  })
}

export async function purgeRevokedTokens(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "revoked_token", (token) => token("revoked_at", "<=", nowMs - rememberedMs))
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
    expiresAt: row.expires_at,
  }
}
