import { secondMs } from "../../base/clock.ts"
import { isSameSecret } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"

/** No person fills in a form faster than this; a program does. */
const minimumMs = 2 * secondMs
const purpose = "form start"

/**
 * The value of `guichet_started`: the signed time, in ms since 1970, at which a visitor began to fill in the
 * form.
 */
export function timingToken(vault: Vault, formId: string, nowMs: number): string {
  return `${nowMs}.${vault.fingerprint(`${formId} ${nowMs}`, purpose)}`
}

/** When a token was made, in ms since 1970; undefined unless it was signed here for this form. */
export function startedAt(vault: Vault, formId: string, token: string): number | undefined {
  const [, issuedAt = ""] = /^(\d{1,15})\.[\w-]+$/.exec(token) ?? []
  const isGenuine = issuedAt !== "" && isSameSecret(token, timingToken(vault, formId, Number(issuedAt)))
  return isGenuine ? Number(issuedAt) : undefined
}

/** True when a token was not signed here for this form, or is too recent. */
export function isTooFast(vault: Vault, formId: string, token: string, nowMs: number): boolean {
  const startedMs = startedAt(vault, formId, token)
  return startedMs === undefined || nowMs - startedMs < minimumMs
}
