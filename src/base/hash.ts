import { hash, randomBytes, timingSafeEqual } from "node:crypto"

export function sha256(text: string, encoding: "base64url" | "base64" | "hex" = "base64url"): string {
  return hash("sha256", text, encoding)
}

/** A text of 256 random bits that is handed out; the database holds only its SHA-256. */
export function newSecretText(): string {
  return randomBytes(32).toString("base64url")
}

/** Compares in constant time: the duration reveals neither the first difference nor the lengths. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"))
}
