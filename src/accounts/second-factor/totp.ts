import { Secret, TOTP } from "otpauth"
import { secondMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { findRow, insertRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"
import type { Operator } from "../operator.ts"

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, thirty seconds. RFC 4226 asks for 160 bits. */
const shape = { algorithm: "SHA1", digits: 6, period: 30 } as const
const secretBytes = 20
/** No code outlives the thirty seconds that an app shows it (OWASP ASVS 5.0, 6.5.5). */
const window = 0

/** A secret that an operator's app is told, and that counts once a code of it has come back. */
export interface TotpEnrolment {
  /** For the form that brings the code: nothing is stored until then. */
  sealed: string
  /** Base32, to type where no camera is. */
  secret: string
  uri: string
}

export function newTotpEnrolment(vault: Vault, operator: Operator, publicUrl: string): TotpEnrolment {
  return openEnrolment(vault.seal(new Secret({ size: secretBytes }).base32, totpPurpose(operator.id)), {
    vault,
    operator,
    publicUrl,
  })
}

interface EnrolmentOf {
  vault: Vault
  operator: Operator
  publicUrl: string
}

/** The enrolment of a sealed secret. Throws unless this service sealed it for this operator. */
export function openEnrolment(sealed: string, { vault, operator, publicUrl }: EnrolmentOf): TotpEnrolment {
  const secret = vault.open(sealed, totpPurpose(operator.id))
  const issuer = `Guichet ${new URL(publicUrl).hostname}`
  return { sealed, secret, uri: toTotp(secret, { issuer, label: operator.email }).toString() }
}

/** In the caller's transaction. Resolves to false for a wrong code, or a secret of another operator. */
export async function storeTotp(
  transaction: Db,
  vault: Vault,
  { operatorId, sealed, code }: { operatorId: string; sealed: string; code: string },
  nowMs: number,
): Promise<boolean> {
  const secret = secretIn(vault, sealed, operatorId)
  const step = secret === undefined ? undefined : codeStep(secret, code, nowMs)
  if (step === undefined) return false
  await transaction.deleteFrom("totp").where("operator_id", "=", operatorId).execute()
  await insertRows(transaction, "totp", {
    operator_id: operatorId,
    sealed,
    last_step: step,
    created_at: nowMs,
  })
  return true
}

/** Whether it is a code of the operator's app. Spends it, and every earlier one (RFC 6238, 5.2). */
export async function useTotpCode(
  transaction: Db,
  vault: Vault,
  { operatorId, code }: { operatorId: string; code: string },
  nowMs: number,
): Promise<boolean> {
  const row = await findRow(transaction, "totp", { operator_id: operatorId })
  // Sealed under a key that was lost it has no right code, and recovery codes still count.
  const secret = row && secretIn(vault, row.sealed, operatorId)
  const step = secret === undefined ? undefined : codeStep(secret, code, nowMs)
  if (step === undefined) return false
  const { numUpdatedRows } = await transaction
    .updateTable("totp")
    .set({ last_step: step })
    .where("operator_id", "=", operatorId)
    .where("last_step", "<", step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether a text may be a code of an app: no recovery code is one. */
export function isTotpShaped(code: string): boolean {
  return /^\d{6}$/.test(withoutSpace(code))
}

function codeStep(secret: string, code: string, nowMs: number): number | undefined {
  if (!isTotpShaped(code)) return undefined
  const delta = toTotp(secret).validate({ token: withoutSpace(code), timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / (shape.period * secondMs))
}

function withoutSpace(code: string): string {
  return code.replace(/\s/g, "")
}

function toTotp(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...shape, ...named, secret: Secret.fromBase32(secret) })
}

function secretIn(vault: Vault, sealed: string, operatorId: string): string | undefined {
  try {
    return vault.open(sealed, totpPurpose(operatorId))
  } catch {
    return undefined
  }
}

/** A secret that was sealed for one operator is worthless for another. */
function totpPurpose(operatorId: string): string {
  return `totp ${operatorId}`
}
