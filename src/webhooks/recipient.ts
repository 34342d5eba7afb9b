import type { Db } from "../db/connection.ts"
import type { Vault } from "../vault.ts"

/** Where a delivery goes, and what signs it. */
export interface Recipient {
  url: string
  /** The current one first; the one before the last rotation as long as both sign. */
  secrets: string[]
}

/** The endpoints of these ids as they are now, by id; what is missing was deleted. */
export async function recipients(
  transaction: Db,
  vault: Vault,
  endpointIds: readonly string[],
  nowMs: number,
): Promise<Map<string, Recipient>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await transaction
    .selectFrom("endpoint")
    .select(["id", "url", "secret", "previous_secret", "previous_secret_until"])
    .where("id", "in", endpointIds)
    .execute()
  return new Map(
    rows.map((row) => {
      const sealed = [row.secret]
      if (row.previous_secret !== null && (row.previous_secret_until ?? 0) > nowMs)
        sealed.push(row.previous_secret)
      return [
        row.id,
        { url: row.url, secrets: sealed.map((text) => vault.open(text, `endpoint secret ${row.id}`)) },
      ]
    }),
  )
}
