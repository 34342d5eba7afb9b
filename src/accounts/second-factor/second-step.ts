import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { isSameSecret, sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { withLock } from "../../db/with-lock.ts"
import { counterOf, type Limit, type Moment } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import { readUses } from "../../limits/uses.ts"
import type { AccountDeps } from "../deps.ts"
import { type Account, findAccount } from "../operator.ts"
import { countedSignIn } from "../sign-in.ts"
import { sessionsLock } from "../subjects.ts"
import { useRecoveryCode } from "./recovery-codes.ts"
import { isTotpShaped, useTotpCode } from "./totp.ts"

/** Time to find the phone. */
const stepMinutes = 10
/**
 * An attacker here knows the password already. One of an app's million codes is right, so a year of tries
 * guesses one with a chance of 1 in 270. A right code gives all tries back.
 */
const limit: Limit = { key: "second factor", points: 10, per: "24 hours", on: "operator" }

/** Proves whose password was right, and when. Void once the password has changed. */
export function newStep(vault: Vault, { id, passwordHash }: Account, nowMs: number): string {
  const step: Step = { id, password: sha256(passwordHash), until: nowMs + stepMinutes * minuteMs }
  return vault.seal(JSON.stringify(step), purpose)
}

interface Step {
  id: string
  password: string
  until: number
}

const purpose = "second step"

/** The account of a step. Throws Refusal `unauthorized` where it is not one of ours, or no longer. */
export async function requireStep(
  deps: Pick<AccountDeps, "db" | "vault">,
  text: string,
  nowMs: number,
): Promise<Account> {
  const account = await findStep(deps, text, nowMs)
  if (!account) throw new Refusal("unauthorized", detail("accounts.deadStep"))
  return account
}

export async function findStep(
  { db, vault }: Pick<AccountDeps, "db" | "vault">,
  text: string,
  nowMs: number,
): Promise<Account | undefined> {
  const step = stepIn(vault, text)
  const account = step && step.until > nowMs ? await findAccount(db, step.id) : undefined
  return step && account && isSameSecret(sha256(account.passwordHash), step.password) ? account : undefined
}

function stepIn(vault: Vault, text: string): Step | undefined {
  try {
    return JSON.parse(vault.open(text, purpose))
  } catch {
    return undefined
  }
}

/**
 * Proves an account by a code of its app or a recovery code, each good once. Throws Refusal: `rate_limited`;
 * `invalid_request` for a wrong code, which counts as a try. Recovery codes, too long to be guessed, count for the
 * network alone: who knows the password and tries codes of the app does not shut their owner out.
 */
export async function useCode(
  deps: Pick<AccountDeps, "db" | "vault" | "config">,
  { id }: Pick<Account, "id">,
  { code, address }: { code: string; address: string },
  nowMs: number,
): Promise<void> {
  const { db, vault } = deps
  const prove = async (isRight: (transaction: Db) => Promise<boolean>) => {
    if (await withLock(db, sessionsLock(id), isRight)) return
    const explanation = detail("accounts.wrongCode")
    throw new Refusal("invalid_request", explanation, { fields: { code: explanation } })
  }
  if (isTotpShaped(code)) {
    await takeTry(deps, id, nowMs)
    await prove((transaction) => useTotpCode(transaction, vault, { operatorId: id, code }, nowMs))
  } else
    await countedSignIn(deps, address, nowMs, () =>
      prove((transaction) => useRecoveryCode(transaction, id, code)),
    )
  await forgetSecondSteps(db, id)
}

/** Counts before the code is looked at, so that tries at once do not evade the limit. */
function takeTry({ db, config }: Pick<AccountDeps, "db" | "config">, operatorId: string, nowMs: number) {
  const at: Moment = { timezone: config.timezone, nowMs }
  return db
    .transaction()
    .execute((transaction) => take(transaction, limit, operatorId, at, detail("accounts.tooManyCodes")))
}

/** Gives all tries back. */
export async function forgetSecondSteps(db: Db, operatorId: string): Promise<void> {
  const counter = counterOf(limit, operatorId, { timezone: "UTC", nowMs: 0 })
  await withLock(db, counter.subject, async (transaction) => {
    const uses = await readUses(transaction, [counter])
    uses.add(counter, 0, 0)
    await uses.write(transaction)
  })
}
