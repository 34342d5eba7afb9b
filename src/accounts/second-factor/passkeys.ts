import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { detail, Refusal } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import { changeRows, deleteRows, findRow, insertRows } from "../../db/store.ts"
import type { AccountDeps } from "../deps.ts"
import { expiryOfChallenge, isChallenge, type Purpose } from "./challenge.ts"
import { relyingParty } from "./relying-party.ts"

/** A key pair of an operator's device, of which the service has the public part. */
export interface Passkey {
  id: string
  operatorId: string
  name: string
  createdAt: number
  lastUsedAt: number | null
}

/** Read with the first passkey: its tables of ASN.1 would take a fifth of the start of the program. */
const webauthn = () => import("@simplewebauthn/server")

export const maxPasskeys = 20
/** Characters that a browser may send; a credential with an attestation has some two thousand. */
export const maxCredentialLength = 20_000

/** A credential as a browser sent it, for a challenge of this purpose. */
interface Sent {
  credential: string
  purpose: Purpose
}

export async function listPasskeys(db: Db, operatorId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom("passkey")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("created_at")
    .orderBy("id")
    .execute()
  return rows.map(toPasskey)
}

/**
 * Verifies a credential that a device has just made. Throws Refusal `invalid_request` for one that was made for
 * another site or challenge, or says that a manufacturer vouches for it: that is not asked for, and checking it would
 * request addresses which the credential names.
 */
export async function verifyNewPasskey(
  { vault, config }: Pick<AccountDeps, "vault" | "config">,
  { credential, purpose }: Sent,
  nowMs: number,
): Promise<{ id: string; public_key: string; counter: number }> {
  const party = relyingParty(config.publicUrl)
  const response = parsed<RegistrationResponseJSON>(credential)
  if (!party || !response || !(await isUnattested(response))) throw wrongPasskey("invalid_request")
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => isChallenge(vault, challenge, purpose, nowMs),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    throw wrongPasskey("invalid_request", error)
  })
  if (!registrationInfo) throw wrongPasskey("invalid_request")
  const { id, publicKey, counter } = registrationInfo.credential
  return { id, public_key: Buffer.from(publicKey).toString("base64url"), counter }
}

function parsed<Shape>(json: string): Shape | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers")
  try {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, "base64url"))
    const attestation = decodeAttestationObject(bytes)
    const isOwn = attestation.get("fmt") === "packed" && !attestation.get("attStmt").get("x5c")
    return isOwn || attestation.get("fmt") === "none"
  } catch {
    return false
  }
}

/** Stores a verified credential in the caller's transaction. Throws Refusal `conflict` for one that is known. */
export async function storePasskey(
  transaction: Db,
  credential: Awaited<ReturnType<typeof verifyNewPasskey>>,
  { operatorId, name }: Pick<Passkey, "operatorId" | "name">,
  nowMs: number,
): Promise<void> {
  if (await findRow(transaction, "passkey", { id: credential.id }))
    throw new Refusal("conflict", detail("accounts.passkeyExists"))
  await insertRows(transaction, "passkey", {
    ...credential,
    operator_id: operatorId,
    name,
    created_at: nowMs,
    last_used_at: null,
  })
}

/**
 * Verifies the answer of a device to a challenge, once. Resolves to the operator whose passkey it is.
 * `ofOperator`: the operator whose password was right. Without it, the device must have asked for a PIN, a
 * finger or a face, so that it stands for password and second factor. Throws Refusal `unauthorized`.
 */
export async function usePasskey(
  { db, vault, config }: Pick<AccountDeps, "db" | "vault" | "config">,
  { credential, purpose, ofOperator }: Sent & { ofOperator: string | undefined },
  nowMs: number,
): Promise<string> {
  const party = relyingParty(config.publicUrl)
  const response = parsed<AuthenticationResponseJSON>(credential)
  const row = typeof response?.id === "string" && (await findRow(db, "passkey", { id: response.id }))
  if (!party || !response || !row || !isOwnHandle(response, row)) throw wrongPasskey("unauthorized")
  if (ofOperator !== undefined && row.operator_id !== ofOperator) throw wrongPasskey("unauthorized")
  let challenge = ""
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge(sent) {
      challenge = sent
      return isChallenge(vault, sent, purpose, nowMs)
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: row.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
      counter: row.counter,
    },
    requireUserVerification: ofOperator === undefined,
  }).catch((error: unknown) => {
    throw wrongPasskey("unauthorized", error)
  })
  if (!verified) throw wrongPasskey("unauthorized")
  await db.transaction().execute(async (transaction) => {
    await spendChallenge(transaction, challenge)
    const used = { counter: authenticationInfo.newCounter, last_used_at: nowMs }
    await changeRows(transaction, "passkey", { id: row.id }, used)
  })
  return row.operator_id
}

/** A device that names the person names the one it was registered for. */
function isOwnHandle({ response }: AuthenticationResponseJSON, row: Row<"passkey">): boolean {
  const handle = response?.userHandle
  return !handle || Buffer.from(handle, "base64url").toString() === row.operator_id
}

/** An answer that is sent again finds its challenge spent, whatever the device counts. */
async function spendChallenge(transaction: Db, challenge: string): Promise<void> {
  const spent = await transaction
    .insertInto("used_challenge")
    .values({ hash: sha256(challenge), expires_at: expiryOfChallenge(challenge) })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst()
  if (!spent) throw wrongPasskey("unauthorized")
}

/** Removes a passkey of the operator, in the caller's transaction. Throws Refusal `not_found`. */
export async function deletePasskey(transaction: Db, operatorId: string, id: string): Promise<void> {
  const gone = await deleteRows(transaction, "passkey", { id, operator_id: operatorId })
  if (gone.length === 0) throw new Refusal("not_found", detail("accounts.unknownPasskey"))
}

function wrongPasskey(code: "unauthorized" | "invalid_request", error?: unknown): Refusal {
  const reason = error instanceof Error ? { reason: error.message } : {}
  return new Refusal(code, detail("accounts.wrongPasskey"), reason)
}

function toPasskey(row: Row<"passkey">): Passkey {
  return {
    id: row.id,
    operatorId: row.operator_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
