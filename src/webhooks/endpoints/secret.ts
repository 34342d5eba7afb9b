import { dayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Vault } from "../../db/vault.ts"
import { keyOf } from "./signature.ts"

/** One secret of an endpoint: `sealed` by the vault, signing until then, or for good. */
interface KeptSecret {
  sealed: string
  untilMs: number | null
}

/** A secret that was replaced signs beside the new one for so long. */
const overlapMs = dayMs
/** Each is a signature in every header: what a script that never stops rotating must not pile up. */
const maxSigning = 5

/** What the row of a new endpoint keeps. */
export function keptSecret(vault: Vault, endpointId: string, secret: string): string {
  return JSON.stringify([{ sealed: seal(vault, endpointId, secret), untilMs: null }] satisfies KeptSecret[])
}

/**
 * What the row keeps after a rotation: the new secret first. Every one before it signs to the end of the 24
 * hours it was promised, however soon the next rotation follows. Throws Refusal `conflict` when too many sign
 * already.
 */
export function rotated(
  kept: string,
  vault: Vault,
  endpointId: string,
  secret: string,
  nowMs: number,
): string {
  const signing = signingAt(JSON.parse(kept) as KeptSecret[], nowMs)
  if (signing.length >= maxSigning) throw new Refusal("conflict", detail("webhooks.tooManySecrets"))
  const before = signing.map((one) => ({ ...one, untilMs: one.untilMs ?? nowMs + overlapMs }))
  return JSON.stringify([{ sealed: seal(vault, endpointId, secret), untilMs: null }, ...before])
}

/** What signs until then, or for good. */
export interface SigningKey {
  key: Buffer
  untilMs: number | null
}

/** The keys of an endpoint's secrets that sign now, the current one first. */
export function unsealed(kept: string, vault: Vault, endpointId: string, nowMs: number): SigningKey[] {
  return signingAt(JSON.parse(kept) as KeptSecret[], nowMs).map(({ sealed, untilMs }) => ({
    key: keyOf(vault.open(sealed, purpose(endpointId))),
    untilMs,
  }))
}

/** Of several, those that sign now. */
export function signingAt<Secret extends { untilMs: number | null }>(
  secrets: readonly Secret[],
  nowMs: number,
): Secret[] {
  return secrets.filter(({ untilMs }) => untilMs === null || untilMs > nowMs)
}

function seal(vault: Vault, endpointId: string, secret: string): string {
  return vault.seal(secret, purpose(endpointId))
}

/** Binds a sealed secret to its endpoint. */
function purpose(endpointId: string): string {
  return `endpoint secret ${endpointId}`
}
