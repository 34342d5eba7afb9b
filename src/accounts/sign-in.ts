import { sql } from "kysely"
import { dayMs, hourMs, minuteMs, secondMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { changeRows, findRow } from "../db/store.ts"
import type { Vault } from "../db/vault.ts"
import { withLock } from "../db/with-lock.ts"
import { visitorAddress } from "../http/client.ts"
import { type Counter, tooMany } from "../limits/limit.ts"
import { readUses, type Use } from "../limits/uses.ts"
import { admitSignIn } from "./hashing.ts"
import { type Account, findOperator, normaliseEmail } from "./operator.ts"
import { decoyHash, isPassword } from "./password.ts"
import { knownPlaces, rememberPlaces } from "./sign-in-place.ts"

interface Credentials {
  email: string
  password: string
  address: string
  /** Long-lived cookie that recognises the browser, independent of the operator (console/cookie.ts). */
  browser?: string | undefined
}

/** Exponential backoff: tries without a wait, then a wait that doubles up to `maxWaitMs`. */
interface Backoff {
  freeTries: number
  maxWaitMs: number
}

/** The longest wait is short, so that an attacker cannot lock the owner of the account out for long. */
const accountBackoff: Backoff = { freeTries: 5, maxWaitMs: minuteMs }
/** More free tries, since an office may share one network address. */
const networkBackoff: Backoff = { freeTries: 20, maxWaitMs: 15 * minuteMs }
const firstWaitMs = secondMs
/** After the last one, all tries are forgotten. */
const rememberedMs = dayMs
/** Rows kept by `purgeTries`, each of some hundred bytes. */
export const maxRememberedSubjects = 100_000

/**
 * Finds the operator with this address and password. An unknown address is answered like a wrong password, after
 * the same work. Throws Refusal: `unauthorized`; or, before the password is verified, `rate_limited` after too many
 * failed tries and `unavailable` when too many sign-ins are pending.
 *
 * Tries are counted per network, and per pair of account and network. Tries from a network without a successful
 * sign-in to the account are counted per account as well: guessing from many networks is slow, and slows only
 * strangers. A browser that has signed in to the account is slowed by its own tries alone.
 */
export async function signIn(
  { db, vault }: { db: Db; vault: Vault },
  { email, password, address, browser }: Credentials,
  nowMs: number,
): Promise<Account> {
  const subjects = signInSubjects(vault, {
    account: normaliseEmail(email),
    network: visitorAddress(address),
    browser,
  })
  const { pair, ofBrowser } = subjects
  const places = await knownPlaces(db, [pair, ofBrowser])
  const isKnownBrowser = places.has(ofBrowser)
  using _pending = isKnownBrowser ? undefined : admitSignIn()
  const counted = countedSubjects(subjects, places)
  await recordTry(db, counted, nowMs)
  const operator = await findOperator(db, email)
  const isRight = await isPassword(password, operator?.passwordHash ?? decoyHash, isKnownBrowser)
  if (!operator || !isRight) throw new Refusal("unauthorized", detail("accounts.wrongSignIn"))
  await withLock(db, [...counted.keys(), `places:${operator.id}`], async (transaction) => {
    await forgetTry(transaction, [...counted.keys()], subjects.network)
    await rememberPlaces(transaction, operator.id, browser ? [pair, ofBrowser] : [pair], nowMs)
  })
  return operator
}

/**
 * Counts a sign-in that a provider judges, per network like a guess at a password, before it is judged.
 * Throws Refusal `rate_limited`, and what `judge` throws. The try is given back if it succeeds, or could not
 * be judged.
 */
export async function countedSignIn<Result>(
  { db, vault }: { db: Db; vault: Vault },
  address: string,
  nowMs: number,
  judge: () => Promise<Result>,
): Promise<Result> {
  const network = `address:${vault.fingerprint(visitorAddress(address), "sign-in")}`
  await recordTry(db, new Map([[network, networkBackoff]]), nowMs)
  const giveBack = () => withLock(db, network, (transaction) => forgetTry(transaction, [network], network))
  const result = await judge().catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code === "unavailable") await giveBack()
    throw error
  })
  await giveBack()
  return result
}

/** Whether `signIn` refused a guess, before or after it looked at the password. */
export function isFailedSignIn(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === "unauthorized" || error.code === "rate_limited")
}

/** Ends every wait for the account, whatever network or browser it is tried from. */
export async function forgetTries({ db, vault }: { db: Db; vault: Vault }, email: string): Promise<void> {
  const account = triesCounter(`account:${accountKey(vault, normaliseEmail(email))}`).subject
  await db
    .deleteFrom("limit_count")
    .where("period", "=", "")
    .where((row) =>
      row.or([
        row("subject", "=", account),
        // Every subject with this prefix: `;` is the character after `:`.
        ...["pair", "browser"].map((by) => {
          const subject = account.replace("account", by)
          return row.and([row("subject", ">", `${subject}:`), row("subject", "<", `${subject};`)])
        }),
      ]),
    )
    .execute()
}

/** Wait after `tries` failed tries, in milliseconds: 1 s, 2 s, 4 s, … */
export function waitAfterMs(tries: number, { freeTries, maxWaitMs }: Backoff): number {
  if (tries < freeTries) return 0
  return Math.min(firstWaitMs * 2 ** (tries - freeTries), maxWaitMs)
}

/** Keeps the tries that are as new as the newest `maxRememberedSubjects` rows of rolling limits. */
export async function purgeTries(db: Db): Promise<void> {
  const rolling = db.selectFrom("limit_count").select("until").where("period", "=", sql.lit(""))
  const oldest = await rolling
    .orderBy("until", "desc")
    .limit(1)
    .offset(maxRememberedSubjects)
    .executeTakeFirst()
  if (!oldest) return
  await deleteInSteps(db, "limit_count", (row) =>
    row.and([
      row("period", "=", sql.lit("")),
      row("until", "<=", oldest.until),
      row(sql`substr(subject, 1, 4)`, "=", triesCounter("").subject),
    ]),
  )
}

/** The counter of the tries of a subject: when all of them are forgotten is its `until`. */
function triesCounter(subject: string): Counter {
  return { period: "", subject: `try:${subject}` }
}

interface Subjects {
  account: string
  network: string
  /** The account, tried from this network. */
  pair: string
  /** The account, tried with this browser. */
  ofBrowser: string
}

function signInSubjects(
  vault: Vault,
  { account, network, browser }: { account: string; network: string; browser: string | undefined },
): Subjects {
  const print = (text: string) => vault.fingerprint(text, "sign-in")
  const key = accountKey(vault, account)
  return {
    account: `account:${key}`,
    network: `address:${print(network)}`,
    pair: `pair:${key}:${print(`${account} ${network}`)}`,
    ofBrowser: `browser:${key}:${print(`${account} browser ${browser ?? ""}`)}`,
  }
}

function accountKey(vault: Vault, account: string): string {
  return vault.fingerprint(account, "sign-in")
}

/**
 * Chooses the subjects that a try counts for. A known browser counts only for itself, so that others on the
 * operator's network cannot make the operator wait.
 */
function countedSubjects({ account, network, pair, ofBrowser }: Subjects, known: Set<string>) {
  if (known.has(ofBrowser)) return new Map([[ofBrowser, accountBackoff]])
  const counted = new Map([
    [pair, accountBackoff],
    [network, networkBackoff],
  ])
  return known.has(pair) ? counted : counted.set(account, accountBackoff)
}

/** Counts the try before the password is verified, so that parallel tries do not evade the wait. */
async function recordTry(db: Db, counted: Map<string, Backoff>, nowMs: number): Promise<void> {
  const subjects = [...counted.keys()]
  await withLock(db, subjects, async (transaction) => {
    const uses = await readUses(transaction, subjects.map(triesCounter))
    const waitMs = Math.max(
      ...[...counted].map(([subject, backoff]) =>
        remainingWaitMs(uses.of(triesCounter(subject)), backoff, nowMs),
      ),
    )
    if (waitMs > 0)
      throw tooMany(detail("accounts.tooManySignIns", { waitMs }), waitMs, "too many tries to sign in")
    for (const subject of subjects) uses.add(triesCounter(subject), 1, nowMs + rememberedMs)
    await uses.write(transaction)
  })
}

function remainingWaitMs({ used, until }: Use, backoff: Backoff, nowMs: number): number {
  const waitMs = until - rememberedMs + waitAfterMs(used, backoff) - nowMs
  // A longer wait is impossible: the clock was set back after that try.
  return waitMs > backoff.maxWaitMs ? 0 : waitMs
}

/**
 * Forgets the tries of an account after a success. The network gets back this one try only: signing in to
 * one's own account must not reset the count for guessing at another.
 */
async function forgetTry(transaction: Db, counted: readonly string[], network: string): Promise<void> {
  const uses = await readUses(transaction, counted.map(triesCounter))
  for (const subject of counted) {
    const counter = triesCounter(subject)
    if (subject === network) uses.add(counter, -1)
    else uses.add(counter, -uses.of(counter).used, 0)
  }
  await uses.write(transaction)
}

/** For how long the machine's owner lets an account sign in by password where that is off. */
const windowHours = 1

export async function openPasswordWindow(db: Db, operatorId: string, nowMs: number): Promise<void> {
  await changeRows(db, "operator", { id: operatorId }, { password_until: nowMs + windowHours * hourMs })
}

/** Throws Refusal `forbidden`, alike for an address that has no account. */
export async function requirePasswordWindow(db: Db, email: string, nowMs: number): Promise<void> {
  const operator = await findRow(db, "operator", { email: normaliseEmail(email) })
  if (!operator || (operator.password_until ?? 0) <= nowMs)
    throw new Refusal("forbidden", detail("accounts.passwordsOff"))
}
