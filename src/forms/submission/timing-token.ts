import { randomBytes } from "node:crypto"
import { consume } from "../../accounts/quotas/rate-limit.ts"
import { dayMs, secondMs } from "../../base/clock.ts"
import { isSameSecret, sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"

/** No person fills in a form faster than this; a program does. */
const minimumMs = 2 * secondMs
const purpose = "form start"

/** A page may stay open for a day. A token is then unique no more, and its use need not be remembered. */
const uniqueForMs = dayMs

/**
 * The value of `guichet_started`: the signed time, in ms since 1970, at which a visitor began to fill in the
 * form, with a random part, so that each page that was shown has a token of its own.
 */
export function timingToken(vault: Vault, formId: string, nowMs: number): string {
  return signed(vault, formId, `${nowMs}.${randomBytes(9).toString("base64url")}`)
}

/** When a token was made, in ms since 1970; undefined unless it was signed here for this form. */
export function startedAt(vault: Vault, formId: string, token: string): number | undefined {
  // Pages that were opened before tokens had a random part send the time and the signature alone.
  const [, content, issuedAt] = /^((\d{1,15})(?:\.[\w-]{12})?)\.[\w-]+$/.exec(token) ?? []
  const isGenuine = content !== undefined && isSameSecret(token, signed(vault, formId, content))
  return isGenuine ? Number(issuedAt) : undefined
}

/** True when a token was not signed here for this form, or is too recent. */
export function isTooFast(vault: Vault, formId: string, token: string, nowMs: number): boolean {
  const startedMs = startedAt(vault, formId, token)
  return startedMs === undefined || nowMs - startedMs < minimumMs
}

/**
 * Uses a token up, in the transaction that stores its post; false for one that was used before, is a day old or has no
 * random part. The caller has made sure that it is genuine, and that posts of its form come one after the other.
 */
export async function useOnce(transaction: Db, token: string, nowMs: number): Promise<boolean> {
  const parts = token.split(".")
  if (parts.length !== 3 || nowMs - Number(parts[0]) >= uniqueForMs) return false
  return consume(transaction, `token:${sha256(token)}`, { count: 1, windowMs: uniqueForMs }, nowMs)
}

function signed(vault: Vault, formId: string, content: string): string {
  return `${content}.${vault.fingerprint(`${formId} ${content}`, purpose)}`
}
