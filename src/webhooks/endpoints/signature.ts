import { randomBytes } from "node:crypto"

/** A new signing secret: `whsec_` and 32 random bytes in padded base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}

/** The bytes of the HMAC key: the secret without its prefix, decoded from base64. */
export function keyOf(secret: string): Buffer {
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
