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
  /** `otpauth://totp/…`, for a QR code. */
  uri: string
}

export function newTotpEnrolment(vault: Vault, operator: Operator, publicUrl: string): TotpEnrolment {
  return enrolmentOf(vault.seal(new Secret({ size: secretBytes }).base32, purposeOf(operator.id)), {
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

/** The enrolment of a sealed secret. Throws when it was sealed for somebody else, or by nobody. */
export function enrolmentOf(sealed: string, { vault, operator, publicUrl }: EnrolmentOf): TotpEnrolment {
  const secret = vault.open(sealed, purposeOf(operator.id))
  const issuer = `Guichet ${new URL(publicUrl).hostname}`
  return { sealed, secret, uri: totpOf(secret, { issuer, label: operator.email }).toString() }
}

/**
 * Stores the secret of an enrolment in the caller's transaction, in place of an earlier one. Resolves to false when
 * the code is not one of it, or the secret was sealed for somebody else.
 */
export async function storeTotp(
  transaction: Db,
  vault: Vault,
  { operatorId, sealed, code }: { operatorId: string; sealed: string; code: string },
  nowMs: number,
): Promise<boolean> {
  const secret = secretIn(vault, sealed, operatorId)
  const step = secret === undefined ? undefined : stepOf(secret, code, nowMs)
  if (step === undefined) return false
  await transaction.deleteFrom("totp").where("operator_id", "=", operatorId).execute()
  // That code signs nobody in any more.
  await insertRows(transaction, "totp", {
    operator_id: operatorId,
    sealed,
    last_step: step,
    created_at: nowMs,
  })
  return true
}

/** Whether it is a code of the operator's app. Each is right once, and so is none before it (RFC 6238, 5.2). */
export async function useTotpCode(
  transaction: Db,
  vault: Vault,
  { operatorId, code }: { operatorId: string; code: string },
  nowMs: number,
): Promise<boolean> {
  const row = await findRow(transaction, "totp", { operator_id: operatorId })
  // Sealed under a key that was lost it has no right code, and recovery codes still count.
  const secret = row && secretIn(vault, row.sealed, operatorId)
  const step = secret === undefined ? undefined : stepOf(secret, code, nowMs)
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

/** The step whose code it is. */
function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  if (!isTotpShaped(code)) return undefined
  const delta = totpOf(secret).validate({ token: withoutSpace(code), timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / (shape.period * secondMs))
}

function withoutSpace(code: string): string {
  return code.replace(/\s/g, "")
}

function totpOf(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...shape, ...named, secret: Secret.fromBase32(secret) })
}

function secretIn(vault: Vault, sealed: string, operatorId: string): string | undefined {
  try {
    return vault.open(sealed, purposeOf(operatorId))
  } catch {
    return undefined
  }
}

/** A secret that was sealed for one operator is worthless for another. */
function purposeOf(operatorId: string): string {
  return `totp ${operatorId}`
}
