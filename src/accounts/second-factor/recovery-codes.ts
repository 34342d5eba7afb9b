import { sha256 } from "../../base/hash.ts"
import { randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countOf, deleteRows, insertRows } from "../../db/store.ts"

export const recoveryCodes = 10
/**
 * Without letters and digits that look alike; 24 of them hold 118 bits. From 112 bits on OWASP ASVS 5.0 (6.5.2) asks
 * for no slow hash. Codes of 16 that were made before are good until others are made.
 */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
const characters = 24

/** Makes codes in place of all earlier ones, in the caller's transaction. They are shown this once. */
export async function newRecoveryCodes(transaction: Db, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => randomText(characters, alphabet))
  await deleteRows(transaction, "recovery_code", { operator_id: operatorId })
  await insertRows(
    transaction,
    "recovery_code",
    codes.map((code) => ({ operator_id: operatorId, hash: sha256(code) })),
  )
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"))
}

/** Spends a recovery code. Resolves to false if the operator has no such code. */
export async function useRecoveryCode(transaction: Db, operatorId: string, typed: string): Promise<boolean> {
  const hash = sha256(typed.toLowerCase().replace(/[^a-z0-9]/g, ""))
  return (await deleteRows(transaction, "recovery_code", { operator_id: operatorId, hash })).length > 0
}

export function countRecoveryCodes(db: Db, operatorId: string): Promise<number> {
  return countOf(db, "recovery_code", { operator_id: operatorId })
}
