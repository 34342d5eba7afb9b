import { randomBytes } from "node:crypto"

/** A new signing secret: `whsec_` and 32 random bytes in padded base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}

/**
 * The `webhook-signature` header (Standard Webhooks, version 1): one signature per secret, the current secret first.
 * `body` is what is sent, to the byte; `sentAtSeconds` is the `webhook-timestamp`.
 */
export function sign(
  secrets: readonly string[],
  messageId: string,
  sentAtSeconds: number,
  body: Uint8Array,
): string {
  return secrets.map((secret) => `v1,${hmac(keyOf(secret), messageId, sentAtSeconds, body)}`).join(" ")
}

/** Specification, part 5 B: HMAC-SHA256 over `webhook-id`, a dot, `webhook-timestamp`, a dot, the raw body. */
function hmac(key: Buffer, messageId: string, sentAtSeconds: number, body: Uint8Array): string {
  const hasher = new Bun.CryptoHasher("sha256", key)
  return hasher.update(`${messageId}.${sentAtSeconds}.`).update(body).digest("base64")
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice("whsec_".length), "base64")
}
