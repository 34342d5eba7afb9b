import { minuteMs, secondMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { Vault } from "../db/vault.ts"
import { visitorAddress } from "../http/client.ts"
import { placeInCrowd } from "./hashing.ts"
import { type Account, findOperator, normalised } from "./operator.ts"
import { decoyHash, isPassword } from "./password.ts"
import { knownPlaces, rememberPlaces } from "./sign-in-place.ts"

interface Credentials {
  email: string
  password: string
  /** The client's address. */
  address: string
  /** What the browser is recognised by, whoever signs in with it (console/cookie.ts). */
  browser?: string | undefined
}

/** How many tries are free, and how long the wait may grow. */
interface Patience {
  freeTries: number
  longestWaitMs: number
}

/** Short: whoever tries in somebody's name must not be able to keep that person out for long. */
const accountPatience: Patience = { freeTries: 5, longestWaitMs: minuteMs }
/** An office may share one address. */
const addressPatience: Patience = { freeTries: 20, longestWaitMs: 15 * minuteMs }
const firstWaitMs = secondMs
/** Of what tries are counted by: a row is some hundred bytes. */
export const mostRemembered = 100_000

/**
 * The operator whose address and password these are. An unknown address is answered like a wrong password,
 * after the same work. Throws Refusal: `unauthorized`, or, without looking at the password, `rate_limited`
 * while too many tries have failed, `unavailable` in a crowd.
 *
 * Tries are counted by account and network address together; those of networks from where nobody has signed
 * in to the account also by account, so that guessing from many of them is slow, and slows nobody but
 * strangers. A browser that has signed in to it waits for its own tries alone.
 */
export async function signIn(
  { db, vault }: { db: Db; vault: Vault },
  { email, password, address, browser }: Credentials,
  nowMs: number,
): Promise<Account> {
  const subjects = subjectsOf(vault, {
    account: normalised(email),
    network: visitorAddress(address),
    browser,
  })
  const { pair, ofBrowser } = subjects
  const known = await knownPlaces(db, [pair, ofBrowser])
  const isKnownBrowser = known.has(ofBrowser)
  using _place = isKnownBrowser ? undefined : placeInCrowd()
  const counted = countedBy(subjects, known)
  await recordTry(db, counted, nowMs)
  const found = await findOperator(db, email)
  const isRight = await isPassword(password, found?.passwordHash ?? decoyHash, isKnownBrowser)
  if (!found || !isRight)
    throw new Refusal("unauthorized", detail("accounts.wrongSignIn"), { reason: "wrong address or password" })
  await db.transaction().execute(async (transaction) => {
    await forgetTry(transaction, [...counted.keys()], subjects.network)
    await rememberPlaces(transaction, found.id, browser ? [pair, ofBrowser] : [pair], nowMs)
  })
  return found
}

/** Lets the account be tried again at once, from wherever. */
export async function forgetTries({ db, vault }: { db: Db; vault: Vault }, email: string): Promise<void> {
  const account = accountOf(vault, normalised(email))
  await db
    .deleteFrom("sign_in_try")
    .where((row) =>
      row.or([
        row("subject", "=", `account:${account}`),
        // What begins with this and a colon: `;` is the character after it.
        ...["pair", "browser"].map((by) =>
          row.and([row("subject", ">", `${by}:${account}:`), row("subject", "<", `${by}:${account};`)]),
        ),
      ]),
    )
    .execute()
}

/** The wait after so many failed tries: 1 s, 2 s, 4 s, … */
export function waitAfterMs(tries: number, { freeTries, longestWaitMs }: Patience): number {
  if (tries < freeTries) return 0
  return Math.min(firstWaitMs * 2 ** (tries - freeTries), longestWaitMs)
}

/** Forgets all but the newest tries. What is older than a day goes with the sessions. */
export async function purgeTries(db: Db): Promise<void> {
  await db
    .deleteFrom("sign_in_try")
    .where("last_at", "<=", (query) =>
      query
        .selectFrom("sign_in_try")
        .select("last_at")
        .orderBy("last_at", "desc")
        .limit(1)
        .offset(mostRemembered)
        .$asScalar(),
    )
    .execute()
}

interface Subjects {
  account: string
  network: string
  /** The account tried from the network. */
  pair: string
  /** The account tried with the browser. */
  ofBrowser: string
}

function subjectsOf(
  vault: Vault,
  { account, network, browser }: { account: string; network: string; browser: string | undefined },
): Subjects {
  const print = (text: string) => vault.fingerprint(text, "sign-in")
  const key = accountOf(vault, account)
  return {
    account: `account:${key}`,
    network: `address:${print(network)}`,
    pair: `pair:${key}:${print(`${account} ${network}`)}`,
    ofBrowser: `browser:${key}:${print(`${account} browser ${browser ?? ""}`)}`,
  }
}

function accountOf(vault: Vault, account: string): string {
  return vault.fingerprint(account, "sign-in")
}

/**
 * Whoever is behind the network of an operator may spoil that network's patience, but not that of the
 * operator's browser.
 */
function countedBy(
  { account, network, pair, ofBrowser }: Subjects,
  known: Set<string>,
): Map<string, Patience> {
  if (known.has(ofBrowser)) return new Map([[ofBrowser, accountPatience]])
  const counted = new Map([
    [pair, accountPatience],
    [network, addressPatience],
  ])
  return known.has(pair) ? counted : counted.set(account, accountPatience)
}

/** Counted before the password is looked at, so that many tries at once are no way round the wait. */
async function recordTry(db: Db, counted: Map<string, Patience>, nowMs: number): Promise<void> {
  const subjects = [...counted.keys()]
  await db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom("sign_in_try")
      .selectAll()
      .where("subject", "in", subjects)
      .execute()
    const waits = [...counted].map(([subject, patience]) => {
      const row = rows.find((row) => row.subject === subject)
      const waitMs = row ? row.last_at + waitAfterMs(row.tries, patience) - nowMs : 0
      // No wait is longer: that try was made before the clock was set back.
      return waitMs > patience.longestWaitMs ? 0 : waitMs
    })
    const waitMs = Math.max(...waits)
    if (waitMs > 0)
      throw new Refusal("rate_limited", detail("accounts.tooManySignIns", { waitMs }), {
        reason: "too many tries to sign in",
        retryAfterSeconds: Math.ceil(waitMs / secondMs),
      })
    await transaction
      .insertInto("sign_in_try")
      .values(subjects.map((subject) => ({ subject, tries: 1, last_at: nowMs })))
      .onConflict((conflict) =>
        conflict
          .column("subject")
          .doUpdateSet((row) => ({ tries: row("sign_in_try.tries", "+", 1), last_at: nowMs })),
      )
      .execute()
  })
}

/** The network gets back this try alone: an account of one's own must not pay for guessing at another. */
async function forgetTry(transaction: Db, counted: readonly string[], network: string): Promise<void> {
  const ofAccount = counted.filter((subject) => subject !== network)
  await transaction.deleteFrom("sign_in_try").where("subject", "in", ofAccount).execute()
  if (!counted.includes(network)) return
  await transaction
    .updateTable("sign_in_try")
    .set((row) => ({ tries: row("tries", "-", 1) }))
    .where("subject", "=", network)
    .execute()
}
