import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { keptSecret } from "./secret.ts"
import { newSecret } from "./signature.ts"

/**
 * Gives every endpoint a new secret, where the old ones can never be read again. Resolves to their addresses:
 * each receiver refuses what is sent until its owner makes a rotation and hands over that secret.
 */
export async function renewSecrets(db: Db, vault: Vault): Promise<string[]> {
  const endpoints = await db.selectFrom("endpoint").select(["id", "url"]).execute()
  for (const { id } of endpoints)
    await db
      .updateTable("endpoint")
      .set({ secrets: keptSecret(vault, id, newSecret()) })
      .where("id", "=", id)
      .execute()
  return endpoints.map(({ url }) => url)
}
