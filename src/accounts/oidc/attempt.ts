import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { isSameSecret, sha256 } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"
import type { Limit, Moment } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import type { AccountDeps } from "../deps.ts"
import type { Checks } from "./provider.ts"

/** A sign-in that a browser has begun at the provider, whose cookie holds it sealed. */
export interface Attempt extends Checks {
  next: string
  /** Hash of the session of the account that the identity is to be joined to, instead of a sign-in. */
  joins?: string | undefined
  until: number
}

export const attemptMinutes = 10

/** An answer is good once, for as long as an attempt lasts and longer. */
const limit: Limit = { key: "provider's answer", points: 1, per: "hour", on: "sign-in" }
const purpose = "sign-in at the provider"

export function sealedAttempt(vault: Vault, attempt: Omit<Attempt, "until">, nowMs: number): string {
  return vault.seal(JSON.stringify({ ...attempt, until: nowMs + attemptMinutes * minuteMs }), purpose)
}

/**
 * The attempt of this browser that an answer belongs to, which is spent from then on. Throws Refusal `unauthorized` for
 * one that another browser began, that was answered before, or that has waited too long.
 */
export async function spendAttempt(
  { db, vault, config }: Pick<AccountDeps, "db" | "vault" | "config">,
  { sealed, state }: { sealed: string; state: string },
  nowMs: number,
): Promise<Attempt> {
  const explanation = detail("accounts.deadAttempt")
  const attempt = opened(vault, sealed)
  if (!attempt || !isSameSecret(attempt.state, state))
    throw new Refusal("unauthorized", explanation, { reason: "the answer is to no attempt of this browser" })
  if (attempt.until <= nowMs)
    throw new Refusal("unauthorized", explanation, { reason: "the attempt has expired" })
  const at: Moment = { timezone: config.timezone, nowMs }
  await db
    .transaction()
    .execute((transaction) => take(transaction, limit, sha256(state), at, explanation))
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal("unauthorized", explanation, { reason: "the attempt was answered before" })
    })
  return attempt
}

function opened(vault: Vault, sealed: string): Attempt | undefined {
  try {
    return JSON.parse(vault.open(sealed, purpose))
  } catch {
    return undefined
  }
}
