import { dayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"
import { newSecret, signingKey } from "./signature.ts"

/** An entry of the `secrets` column. `untilMs` is when the secret stops signing; null: never. */
interface StoredSecret {
  /** By the vault. */
  sealed: string
  untilMs: number | null
}

/** A replaced secret goes on signing beside the new one for 24 hours. */
const overlapMs = dayMs
/** Each secret adds a signature to every header: a script that rotates forever must not pile them up. */
const maxSigning = 5

export function firstSecrets(vault: Vault, endpointId: string, secret: string): string {
  return JSON.stringify([{ sealed: seal(vault, endpointId, secret), untilMs: null }] satisfies StoredSecret[])
}

/**
 * The `secrets` column after a rotation, the new secret first. Every earlier secret signs to the end of its
 * own 24 hours, however soon the next rotation follows. Throws Refusal `conflict` when too many secrets sign
 * already.
 */
export function rotatedSecrets(
  stored: string,
  vault: Vault,
  endpointId: string,
  secret: string,
  nowMs: number,
): string {
  const signing = signingAt(JSON.parse(stored) as StoredSecret[], nowMs)
  if (signing.length >= maxSigning) throw new Refusal("conflict", detail("webhooks.tooManySecrets"))
  const earlier = signing.map((each) => ({ ...each, untilMs: each.untilMs ?? nowMs + overlapMs }))
  return JSON.stringify([{ sealed: seal(vault, endpointId, secret), untilMs: null }, ...earlier])
}

/** `untilMs` is when the key stops signing; null: never. */
export interface SigningKey {
  key: Buffer
  untilMs: number | null
}

/** The keys of an endpoint's secrets that sign now, the current one first. */
export function signingKeys(stored: string, vault: Vault, endpointId: string, nowMs: number): SigningKey[] {
  return signingAt(JSON.parse(stored) as StoredSecret[], nowMs).map(({ sealed, untilMs }) => ({
    key: signingKey(vault.open(sealed, purpose(endpointId))),
    untilMs,
  }))
}

export function signingAt<Secret extends { untilMs: number | null }>(
  secrets: readonly Secret[],
  nowMs: number,
): Secret[] {
  return secrets.filter(({ untilMs }) => untilMs === null || untilMs > nowMs)
}

/**
 * Gives every endpoint a new secret, when the old ones can never be read again, and no headers of its owner's, whose
 * values cannot either. Resolves to the addresses of
 * the endpoints: each receiver refuses its messages until the owner rotates the secret and hands it over.
 */
export async function renewSecrets(db: Db, vault: Vault): Promise<string[]> {
  const endpoints = await db.selectFrom("endpoint").select(["id", "url"]).execute()
  for (const { id } of endpoints)
    await changeRows(db, "endpoint", { id }, { secrets: firstSecrets(vault, id, newSecret()), headers: null })
  return endpoints.map(({ url }) => url)
}

function seal(vault: Vault, endpointId: string, secret: string): string {
  return vault.seal(secret, purpose(endpointId))
}

/** Binds a sealed secret to its endpoint: it opens under no other id. */
function purpose(endpointId: string): string {
  return `endpoint secret ${endpointId}`
}
