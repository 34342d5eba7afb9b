import { dayIn } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInTurns } from "../../db/delete-in-turns.ts"
import { prepared } from "../../db/prepared.ts"
import type { Vault } from "../../db/vault.ts"

/**
 * Rate limits by the generic cell rate algorithm (GCRA; ITU-T I.371, ATM Forum Traffic Management 4.0, in its
 * "virtual scheduling" form). The only state of a subject is its theoretical arrival time (TAT): the time
 * when its whole allowance is available again. A subject therefore costs one row, however often it consumes.
 */

/** A burst of `count`, then one more every `windowMs / count`. */
export interface RateLimit {
  count: number
  windowMs: number
}

/** Consumes one unit of a subject's allowance, in the caller's transaction; false when none is left. */
export async function consume(
  transaction: Db,
  subject: string,
  limit: RateLimit,
  nowMs: number,
): Promise<boolean> {
  const [row] = (await find(transaction, { subject })).rows
  const until = nextArrival(row?.until ?? 0, limit, nowMs)
  if (until === undefined) return false
  await keep(transaction, { subject, until })
  return true
}

/**
 * The GCRA itself, for callers that store the arrival time in a table of their own. Returns the arrival time
 * after one more unit, in milliseconds and fractions, or undefined when no unit is left.
 */
export function nextArrival(
  arrivalMs: number,
  { count, windowMs }: RateLimit,
  nowMs: number,
): number | undefined {
  // The margin absorbs rounding: intervals such as a seventh of a minute may add up to more than the whole.
  const latestMs = nowMs + windowMs + 0.01
  // An arrival beyond that was stored before the clock was set back, so the subject starts afresh.
  const currentMs = arrivalMs <= latestMs ? Math.max(arrivalMs, nowMs) : nowMs
  const nextMs = currentMs + windowMs / count
  return nextMs > latestMs ? undefined : nextMs
}

/** Deletes subjects whose whole allowance is available again. */
export async function purgeRateLimits(db: Db, nowMs: number): Promise<void> {
  await deleteInTurns(db, "rate_limit", (visit) => visit("until", "<=", nowMs))
}

/** Subject for a network address: a keyed hash that changes every day, so the address is not stored. */
export function subjectOf(
  vault: Vault,
  use: "form" | "own-page" | "apart" | "consent" | "mail" | "check",
  address: string,
  timezone: string,
  nowMs: number,
): string {
  return `${use}:${vault.fingerprint(`${dayIn(timezone, nowMs)} ${address}`, "visitor")}`
}

const find = prepared<{ subject: string }, { until: number }>((value, db) =>
  db.selectFrom("rate_limit").select("until").where("subject", "=", value("subject")).compile(),
)

const keep = prepared<{ subject: string; until: number }>((value, db) =>
  db
    .insertInto("rate_limit")
    .values({ subject: value("subject"), until: value("until") })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ until: value("until") }))
    .compile(),
)
