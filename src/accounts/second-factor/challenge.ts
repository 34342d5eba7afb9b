import { minuteMs } from "../../base/clock.ts"
import { isSameSecret, newSecretText } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"

/** A page is left open for a while before its button is pressed. */
const challengeMinutes = 15

/** An answer is good for nothing but what its challenge was made for. */
export type Purpose = "sign-in" | `second step ${string}` | `new passkey ${string}`

/**
 * A challenge that nothing has to be stored for: it proves itself to be ours, and until when. Whoever shows a page need
 * not write. Base64url, as it is sent and comes back.
 */
export function newChallenge(vault: Vault, purpose: Purpose, nowMs: number): string {
  const until = String(nowMs + challengeMinutes * minuteMs)
  const random = newSecretText()
  return encoded([until, random, proofOf(vault, { until, random, purpose })].join("."))
}

export function isChallenge(vault: Vault, challenge: string, purpose: Purpose, nowMs: number): boolean {
  const { until = "", random = "", proof = "" } = partsOf(challenge)
  return isSameSecret(proof, proofOf(vault, { until, random, purpose })) && Number(until) > nowMs
}

/** Of a challenge that is ours. */
export function expiryOfChallenge(challenge: string): number {
  return Number(partsOf(challenge).until)
}

function partsOf(challenge: string) {
  const [until, random, proof] = Buffer.from(challenge, "base64url").toString().split(".")
  return { until, random, proof }
}

function proofOf(
  vault: Vault,
  { until, random, purpose }: { until: string; random: string; purpose: Purpose },
): string {
  return vault.fingerprint(`${until} ${random} ${purpose}`, "passkey challenge")
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url")
}
