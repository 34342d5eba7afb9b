import { UsageError } from "../base/errors.ts"
import type { Db } from "./sqlite/connection.ts"
import { openVault, type Vault } from "./vault.ts"

const purpose = "key proof"

/**
 * The vault whose key this database was written with: a new database remembers its key by something sealed
 * with it. Throws UsageError for a key that is missing or another one, before anything is written with it.
 */
export async function openProvenVault(db: Db, dataDir: string, key: Buffer | undefined): Promise<Vault> {
  const proof = await db.selectFrom("key_proof").select("sealed").executeTakeFirst()
  const vault = openVault(dataDir, key, proof === undefined)
  if (!proof) await proveKey(db, vault)
  else if (!opens(vault, proof.sealed))
    throw new UsageError(
      `${key ? "GUICHET_SECRET_KEY" : "secret.key of the data folder"} is not the key this database was written with: put that one back`,
    )
  return vault
}

/** From now on this is the key of the database. */
export async function proveKey(db: Db, vault: Vault): Promise<void> {
  const sealed = vault.seal("guichet", purpose)
  await db
    .insertInto("key_proof")
    .values({ id: 1, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    vault.open(sealed, purpose)
    return true
  } catch {
    return false
  }
}
