import { dayIn } from "../../base/clock.ts"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"

/** So many at once; each is given back after its share of the window, all of them after the whole. */
export interface Allowance {
  count: number
  windowMs: number
}

/**
 * Takes one of a subject's places; false when none is left. However many are taken, it is one row and the
 * same few steps.
 */
export async function takePlace(
  transaction: Db,
  subject: string,
  allowance: Allowance,
  nowMs: number,
): Promise<boolean> {
  const [row] = (await find(transaction, { subject })).rows
  const until = untilAfter(row?.until ?? 0, allowance, nowMs)
  if (until === undefined) return false
  await keep(transaction, { subject, until })
  return true
}

/**
 * When all of an allowance is given back of which one more is taken now; undefined when none is left.
 * `until`: when it would be without.
 */
export function untilAfter(until: number, { count, windowMs }: Allowance, nowMs: number): number | undefined {
  // Shares such as a third of a minute add up to a little more than their sum.
  const latest = nowMs + windowMs + 0.01
  // Nobody takes more than the whole: the clock was set back, and the visitor begins anew.
  const taken = until <= latest ? Math.max(until, nowMs) : nowMs
  const after = taken + windowMs / count
  return after > latest ? undefined : after
}

/** Forgets whoever has all of an allowance again. */
export async function purgeVisitors(db: Db, nowMs: number): Promise<void> {
  await db.deleteFrom("recent_visit").where("until", "<=", nowMs).execute()
}

/** Recognises an address without keeping it: another keyed hash every day. */
export function subjectOf(
  vault: Vault,
  use: "form" | "apart" | "consent" | "mail",
  address: string,
  timezone: string,
  nowMs: number,
): string {
  return `${use}:${vault.fingerprint(`${dayIn(timezone, nowMs)} ${address}`, "visitor")}`
}

const find = preparedOnce<{ subject: string }, { until: number }>((db, value) =>
  db.selectFrom("recent_visit").select("until").where("subject", "=", value("subject")).compile(),
)

const keep = preparedOnce<{ subject: string; until: number }>((db, value) =>
  db
    .insertInto("recent_visit")
    .values({ subject: value("subject"), until: value("until") })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ until: value("until") }))
    .compile(),
)
