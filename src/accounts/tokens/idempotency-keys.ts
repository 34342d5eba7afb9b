import { dayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import type { Row } from "../../db/schema.ts"
import { changeRows, deleteRows, findRow, insertRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"
import { withLock } from "../../db/with-lock.ts"
import { tooMany } from "../../limits/limit.ts"
import type { AccountDeps } from "../deps.ts"

/**
 * Keys by which callers of the management API repeat a request without doing it twice
 * (draft-ietf-httpapi-idempotency-key-header), and the replies that are given again. A key is one token's.
 */

export const keyKeptMs = dayMs
export const maxKeys = 5000
/** Most bytes of all replies kept for one token, as they are stored. */
export const maxKeptBytes = 8 * 1024 * 1024
/** More than the longest, that of a form. One that is longer is not kept: a repeat is told that it was done. */
export const maxReplyBytes = 1024 * 1024

export interface KeptReply {
  status: number
  /** JSON; empty for a reply without a body. */
  body: string
}

/** A request under a key. Its texts are kept as keyed hashes alone. */
export interface KeyedRequest {
  tokenId: string
  key: string
  /** Method, path and body: another request under the same key is refused. */
  request: string
}

/**
 * Takes a key for a request that is about to be done, on one node alone; or resolves to the reply that was given to the
 * same request before. Throws Refusal: `conflict` where the key belongs to another request, or to one whose reply is
 * not there (yet); `rate_limited` beyond `maxKeys` and `maxKeptBytes`.
 */
export async function takeKey(
  { db, vault }: Pick<AccountDeps, "db" | "vault">,
  keyed: KeyedRequest,
  nowMs: number,
): Promise<KeptReply | undefined> {
  const { token_id, key, request } = stored(vault, keyed)
  const existing = await withLock(db, `idempotency:${token_id}`, async (transaction) => {
    const row = await findRow(transaction, "idempotency_key", { token_id, key })
    if (row && row.created_at > nowMs - keyKeptMs) return row
    if (row) await deleteRows(transaction, "idempotency_key", { token_id, key })
    await requireKeyRoom(transaction, token_id, nowMs)
    const taken = { token_id, key, request, created_at: nowMs, bytes: 0, status: null, reply: null }
    await insertRows(transaction, "idempotency_key", taken)
    return undefined
  })
  return existing && openReply(vault, existing, request)
}

/** Expired keys that are not yet purged count, too. */
async function requireKeyRoom(transaction: Db, tokenId: string, nowMs: number): Promise<void> {
  const { keys, bytes, oldest } = await transaction
    .selectFrom("idempotency_key")
    .select(({ fn }) => [
      fn.countAll<number>().as("keys"),
      fn.sum<number | null>("bytes").as("bytes"),
      fn.min("created_at").as("oldest"),
    ])
    .where("token_id", "=", tokenId)
    .executeTakeFirstOrThrow()
  if (keys < maxKeys && Number(bytes) < maxKeptBytes) return
  throw tooMany(detail("accounts.tooManyKeys", { maximum: maxKeys }), (oldest ?? nowMs) + keyKeptMs - nowMs)
}

function openReply(
  vault: Vault,
  { token_id, key, request, status, reply }: Row<"idempotency_key">,
  asked: string,
): KeptReply {
  if (request !== asked) throw new Refusal("conflict", detail("accounts.keyOfAnother"))
  if (status === null) throw new Refusal("conflict", detail("accounts.keyInUse"))
  if (reply === null) throw new Refusal("conflict", detail("accounts.keyWithoutReply"))
  return { status, body: vault.open(reply, replyPurpose(token_id, key)) }
}

/** Sealed, since it may hold a secret that is shown once. Without a body, a repeat is told that it was done. */
export async function keepReply(
  { db, vault }: Pick<AccountDeps, "db" | "vault">,
  keyed: KeyedRequest,
  { status, body }: { status: number; body: string | undefined },
): Promise<void> {
  const { token_id, key } = stored(vault, keyed)
  const isKept = body !== undefined && Buffer.byteLength(body) <= maxReplyBytes
  const reply = isKept ? vault.seal(body, replyPurpose(token_id, key)) : null
  const columns = { status, reply, bytes: reply?.length ?? 0 }
  await changeRows(db, "idempotency_key", { token_id, key }, columns)
}

/** Gives a key back: its request failed and may be tried again with it. */
export async function releaseKey({ db, vault }: Pick<AccountDeps, "db" | "vault">, keyed: KeyedRequest) {
  const { token_id, key } = stored(vault, keyed)
  await deleteRows(db, "idempotency_key", { token_id, key })
}

export async function purgeKeys(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "idempotency_key", (row) => row("created_at", "<=", nowMs - keyKeptMs))
}

/** A key may be anything, an e-mail address too. */
function stored(vault: Vault, { tokenId, key, request }: KeyedRequest) {
  return {
    token_id: tokenId,
    key: vault.fingerprint(key, "idempotency key"),
    request: vault.fingerprint(request, "idempotent request"),
  }
}

function replyPurpose(tokenId: string, key: string): string {
  return `idempotency_key.reply ${tokenId} ${key}`
}
