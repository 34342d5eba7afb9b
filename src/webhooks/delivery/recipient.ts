import { sql } from "kysely"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { type SigningKey, signingAt, unsealed } from "../endpoints/secret.ts"

/** Where a delivery goes, and what signs it. */
export interface Recipient {
  url: string
  /** That of the current secret first; those before a rotation as long as they sign too. */
  keys: Buffer[]
  /** To some forms. */
  isLimited: boolean
}

/**
 * The endpoints of these ids as they are now, by id. What is missing was deleted or made inactive: whatever became due for it, by a
 * replay that was under way, goes nowhere.
 */
export type Recipients = (
  transaction: Db,
  endpointIds: readonly string[],
  nowMs: number,
) => Promise<Map<string, Recipient>>

const maxUnsealed = 10_000

const activeOf = preparedOnce<
  { endpointIds: string },
  { id: string; url: string; secrets: string; limited: 0 | 1 }
>((db, value) =>
  db
    .selectFrom("endpoint")
    .select(["id", "url", "secrets", "limited"])
    .where("id", "in", sql<string>`(SELECT value FROM json_each(${value("endpointIds")}))`)
    .where("active", "=", 1)
    .compile(),
)

/** Unseals what an endpoint's row keeps once: to do so at every claim took a fortieth of a delivery's time. */
export function openRecipients(vault: Vault): Recipients {
  const known = new Map<string, SigningKey[]>()

  function keysOf(kept: string, endpointId: string, nowMs: number): SigningKey[] {
    const before = known.get(kept)
    if (before) return before
    const keys = unsealed(kept, vault, endpointId, nowMs)
    if (known.size >= maxUnsealed) known.clear()
    known.set(kept, keys)
    return keys
  }

  return async (transaction, endpointIds, nowMs) => {
    if (endpointIds.length === 0) return new Map()
    const { rows } = await activeOf(transaction, { endpointIds: JSON.stringify(endpointIds) })
    return new Map(
      rows.map(({ id, url, secrets, limited }) => {
        const keys = signingAt(keysOf(secrets, id, nowMs), nowMs).map(({ key }) => key)
        return [id, { url, keys, isLimited: limited === 1 }]
      }),
    )
  }
}
