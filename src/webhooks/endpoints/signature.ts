import { randomBytes, timingSafeEqual } from "node:crypto"
import { minuteMs, secondMs } from "../../base/clock.ts"

/** A new signing secret: `whsec_` and 32 random bytes in padded base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}

/** The bytes of the HMAC key: the secret without its prefix, decoded from base64. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice("whsec_".length), "base64")
}

/**
 * The `webhook-signature` header (Standard Webhooks, version 1): one signature per key, the current secret's
 * first. `body` holds the exact bytes to be sent; `sentAtSeconds` is the `webhook-timestamp`.
 */
export function sign(
  keys: readonly Uint8Array[],
  messageId: string,
  sentAtSeconds: number,
  body: Uint8Array,
): string {
  return keys.map((key) => `v1,${hmac(key, messageId, sentAtSeconds, body)}`).join(" ")
}

/**
 * HMAC-SHA256 over `webhook-id`, a dot, `webhook-timestamp`, a dot, the raw body (specification, part 5 B).
 */
function hmac(key: Uint8Array, messageId: string, sentAtSeconds: number, body: Uint8Array): string {
  const hasher = new Bun.CryptoHasher("sha256", key)
  return hasher.update(`${messageId}.${sentAtSeconds}.`).update(body).digest("base64")
}

/** "Differs by more than 5 minutes from the receiver's clock" (specification, part 5 B). */
const toleranceMs = 5 * minuteMs

export type SignatureVerdict = "right" | "wrong" | "late"

/** Verifies a message as the specification tells receivers to. */
export function verifySignature(
  keys: readonly Uint8Array[],
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
): SignatureVerdict {
  const id = headers.get("webhook-id") ?? ""
  const sentAt = headers.get("webhook-timestamp") ?? ""
  if (!/^\d{1,12}$/.test(sentAt)) return "wrong"
  const signatures = (headers.get("webhook-signature") ?? "").split(" ")
  const isRight = keys.some((key) => {
    const right = sign([key], id, Number(sentAt), body)
    return signatures.some((signature) => isSame(signature, right))
  })
  if (!isRight) return "wrong"
  return Math.abs(nowMs - Number(sentAt) * secondMs) > toleranceMs ? "late" : "right"
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
