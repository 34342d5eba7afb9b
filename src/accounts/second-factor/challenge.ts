import { minuteMs } from "../../base/clock.ts"
import { isSameSecret, newSecretText } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"

/** A page is left open for a while before its button is pressed. */
const challengeMinutes = 15

/** An answer serves only the purpose that its challenge was made for. */
export type Purpose = "sign-in" | `second step ${string}` | `new passkey ${string}`

/** Stored nowhere: it carries its expiry and the proof that it is ours, in base64url. */
export function newChallenge(vault: Vault, purpose: Purpose, nowMs: number): string {
  const until = String(nowMs + challengeMinutes * minuteMs)
  const random = newSecretText()
  return encoded([until, random, challengeProof(vault, { until, random, purpose })].join("."))
}

export function isChallenge(vault: Vault, challenge: string, purpose: Purpose, nowMs: number): boolean {
  const { until = "", random = "", proof = "" } = challengeParts(challenge)
  return isSameSecret(proof, challengeProof(vault, { until, random, purpose })) && Number(until) > nowMs
}

/** Expiry, in ms since the epoch, of a challenge that is ours. */
export function expiryOfChallenge(challenge: string): number {
  return Number(challengeParts(challenge).until)
}

function challengeParts(challenge: string) {
  const [until, random, proof] = Buffer.from(challenge, "base64url").toString().split(".")
  return { until, random, proof }
}

function challengeProof(
  vault: Vault,
  { until, random, purpose }: { until: string; random: string; purpose: Purpose },
): string {
  return vault.fingerprint(`${until} ${random} ${purpose}`, "passkey challenge")
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url")
}
