import type { Db } from "../../db/connection.ts"
import { findRow, insertRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"

const idTokenPurpose = (sessionHash: string) => `id token ${sessionHash}`

export async function keepProviderSession(
  { db, vault }: { db: Db; vault: Vault },
  hash: string,
  idToken: string,
): Promise<void> {
  await insertRows(db, "provider_session", {
    session_hash: hash,
    id_token: vault.seal(idToken, idTokenPurpose(hash)),
  })
}

/** The token of a session that the provider opened; undefined for any other. */
export async function findIdToken(
  { db, vault }: { db: Db; vault: Vault },
  hash: string,
): Promise<string | undefined> {
  const row = await findRow(db, "provider_session", { session_hash: hash })
  return row && vault.open(row.id_token, idTokenPurpose(hash))
}
