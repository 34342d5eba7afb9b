import { minuteMs, secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { visitorAddress } from "../http/client.ts"
import type { Vault } from "../vault.ts"
import { type Account, findOperator, normalised } from "./operator.ts"
import { decoyHash, isPassword } from "./password.ts"
import { sentences } from "./sentences.ts"

interface Credentials {
  email: string
  password: string
  /** The client's address. */
  address: string
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

/**
 * The operator whose address and password these are. An unknown address is answered like a wrong password, after the same
 * work. Throws Refusal: `unauthorized`, or `rate_limited` while too many tries have failed, without looking at the password.
 */
export async function signIn(
  { db, vault }: { db: Db; vault: Vault },
  { email, password, address }: Credentials,
  nowMs: number,
): Promise<Account> {
  const account = `account:${vault.fingerprint(normalised(email), "sign-in")}`
  const place = `address:${vault.fingerprint(visitorAddress(address), "sign-in")}`
  await recordTry(
    db,
    [
      [account, accountPatience],
      [place, addressPatience],
    ],
    nowMs,
  )
  const found = await findOperator(db, email)
  const isRight = await isPassword(password, found?.passwordHash ?? decoyHash)
  if (!found || !isRight)
    throw new Refusal("unauthorized", sentences.wrongSignIn, { reason: "wrong address or password" })
  await forgetTry(db, account, place)
  return found
}

/** Lets the account be tried again at once. */
export async function forgetTries({ db, vault }: { db: Db; vault: Vault }, email: string): Promise<void> {
  const account = `account:${vault.fingerprint(normalised(email), "sign-in")}`
  await db.deleteFrom("sign_in_try").where("subject", "=", account).execute()
}

/** The wait after so many failed tries: 1 s, 2 s, 4 s, … */
export function waitAfterMs(tries: number, { freeTries, longestWaitMs }: Patience): number {
  if (tries < freeTries) return 0
  return Math.min(firstWaitMs * 2 ** (tries - freeTries), longestWaitMs)
}

/** Counted before the password is looked at, so that many tries at once are no way round the wait. */
async function recordTry(db: Db, subjects: [string, Patience][], nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom("sign_in_try")
      .selectAll()
      .where(
        "subject",
        "in",
        subjects.map(([subject]) => subject),
      )
      .execute()
    const waits = subjects.map(([subject, patience]) => {
      const row = rows.find((row) => row.subject === subject)
      const waitMs = row ? row.last_at + waitAfterMs(row.tries, patience) - nowMs : 0
      // No wait is longer: that try was made before the clock was set back.
      return waitMs > patience.longestWaitMs ? 0 : waitMs
    })
    const waitMs = Math.max(...waits)
    if (waitMs > 0)
      throw new Refusal("rate_limited", sentences.tooManySignIns(waitMs), {
        reason: "too many tries to sign in",
        retryAfterSeconds: Math.ceil(waitMs / secondMs),
      })
    await transaction
      .insertInto("sign_in_try")
      .values(subjects.map(([subject]) => ({ subject, tries: 1, last_at: nowMs })))
      .onConflict((conflict) =>
        conflict
          .column("subject")
          .doUpdateSet((row) => ({ tries: row("sign_in_try.tries", "+", 1), last_at: nowMs })),
      )
      .execute()
  })
}

/** The address gets back this try alone: an account of one's own must not pay for guessing at another. */
async function forgetTry(db: Db, account: string, place: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("sign_in_try").where("subject", "=", account).execute()
    await transaction
      .updateTable("sign_in_try")
      .set((row) => ({ tries: row("tries", "-", 1) }))
      .where("subject", "=", place)
      .execute()
  })
}
