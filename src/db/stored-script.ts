import type { Db } from "./connection.ts"
import { findRow, insertMissing } from "./store.ts"

/** Stores a version for ever. Only a version requested by its hash is stored: any other stands on no page. */
export async function storeScript(
  db: Db,
  script: { name: string; hash: string; text: string },
  nowMs: number,
): Promise<void> {
  await insertMissing(db, "script", { ...script, created_at: nowMs })
}

export async function storedScript(db: Db, name: string, hash: string): Promise<string | undefined> {
  return (await findRow(db, "script", { name, hash }))?.text
}
