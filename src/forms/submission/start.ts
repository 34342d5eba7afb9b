import { timingSafeEqual } from "node:crypto"
import { secondMs } from "../../base/clock.ts"
import type { Vault } from "../../db/vault.ts"

/** Nobody fills a form in faster; a program does. */
const minimumMs = 2 * secondMs
const purpose = "form start"

/** The signed time at which somebody began to fill in a form: the value of `guichet_started`. */
export function signedStart(vault: Vault, formId: string, nowMs: number): string {
  return `${nowMs}.${vault.fingerprint(`${formId} ${nowMs}`, purpose)}`
}

/** True when a start was not signed here for this form, or is too recent. */
export function isHasty(vault: Vault, formId: string, started: string, nowMs: number): boolean {
  const [, at = ""] = /^(\d{1,15})\.[\w-]+$/.exec(started) ?? []
  const right = Buffer.from(signedStart(vault, formId, Number(at)))
  const given = Buffer.from(started)
  const genuine = at !== "" && right.length === given.length && timingSafeEqual(right, given)
  return !genuine || nowMs - Number(at) < minimumMs
}
