import { UsageError } from "../base/errors.ts"
import type { Db } from "./connection.ts"
import { insertMissing } from "./store.ts"
import { openVault, type Vault } from "./vault.ts"

const purpose = "key proof"

/**
 * Opens the vault and proves that its key is the one this database was written with. A new database stores a
 * text sealed with its key for later proofs. Throws UsageError for a missing or different key, before
 * anything is written with it.
 */
export async function openProvenVault(db: Db, dataDir: string, key: Buffer | undefined): Promise<Vault> {
  const proof = await db.selectFrom("key_proof").select("sealed").executeTakeFirst()
  const vault = openVault(dataDir, key, proof === undefined)
  if (!proof) await proveKey(db, vault)
  // Read again: another node may have written it meanwhile, with a key of its own.
  const proven = proof ?? (await db.selectFrom("key_proof").select("sealed").executeTakeFirstOrThrow())
  if (!opens(vault, proven.sealed))
    throw new UsageError(
      `${key ? "GUICHET_SECRET_KEY" : "secret.key of the data folder"} is not the key this database was written with: put that one back`,
    )
  return vault
}

/** Stores the proof of the database's key, unless there is one. */
export async function proveKey(db: Db, vault: Vault): Promise<void> {
  await insertMissing(db, "key_proof", { id: 1, sealed: vault.seal("guichet", purpose) })
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    vault.open(sealed, purpose)
    return true
  } catch {
    return false
  }
}
