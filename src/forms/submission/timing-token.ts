import { randomBytes } from "node:crypto"
import { dayMs, secondMs } from "../../base/clock.ts"
import { isSameSecret, sha256 } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"
import type { Counter } from "../../limits/limit.ts"
import { takeFrom } from "../../limits/take.ts"
import type { Uses } from "../../limits/uses.ts"

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

/** A genuine token is used once, and by a post of the day after it was made; one without a random part never. */
const useLimit = { points: 1, per: "24 hours" } as const

export function tokenCounter(token: string): Counter {
  return { period: "", subject: `token:${sha256(token)}` }
}

/** Uses up a genuine token, whose counter was read; false for one that cannot be used, or was before. */
export function useOnce(uses: Uses, token: string, nowMs: number): boolean {
  const parts = token.split(".")
  if (parts.length !== 3 || nowMs - Number(parts[0]) >= uniqueForMs) return false
  return takeFrom(uses, useLimit, tokenCounter(token), nowMs)
}

function signed(vault: Vault, formId: string, content: string): string {
  return `${content}.${vault.fingerprint(`${formId} ${content}`, purpose)}`
}
