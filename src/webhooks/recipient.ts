import type { Db } from "../db/connection.ts"
import type { Vault } from "../vault.ts"
import { signingSecrets } from "./secret.ts"

/** Where a delivery goes, and what signs it. */
export interface Recipient {
  url: string
  /** The current one first; those before a rotation as long as they sign too. */
  secrets: string[]
  /** To some forms. */
  isLimited: boolean
}

/**
 * The endpoints of these ids as they are now, by id. What is missing was deleted or made inactive: whatever became due for it, by a
 * replay that was under way, goes nowhere.
 */
export async function recipients(
  transaction: Db,
  vault: Vault,
  endpointIds: readonly string[],
  nowMs: number,
): Promise<Map<string, Recipient>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await transaction
    .selectFrom("endpoint")
    .select(["id", "url", "secrets", "limited"])
    .where("id", "in", endpointIds)
    .where("active", "=", 1)
    .execute()
  return new Map(
    rows.map(({ id, url, secrets, limited }) => [
      id,
      { url, secrets: signingSecrets(secrets, vault, id, nowMs), isLimited: limited === 1 },
    ]),
  )
}
