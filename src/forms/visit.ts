import { dayIn } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../vault.ts"

/** So many at once; each is given back after its share of the window, all of them after the whole. */
export interface Allowance {
  count: number
  windowMs: number
}

/** Takes one of a subject's places; false when none is left. However many are taken, it is one row and the same few steps. */
export async function takePlace(
  transaction: Db,
  subject: string,
  { count, windowMs }: Allowance,
  nowMs: number,
): Promise<boolean> {
  await transaction.deleteFrom("recent_visit").where("until", "<=", nowMs).execute()
  const row = await transaction
    .selectFrom("recent_visit")
    .select("until")
    .where("subject", "=", subject)
    .executeTakeFirst()
  const until = (row?.until ?? nowMs) + windowMs / count
  // Shares such as a third of a minute add up to a little more than their sum.
  if (until > nowMs + windowMs + 0.01) return false
  await transaction
    .insertInto("recent_visit")
    .values({ subject, until })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ until }))
    .execute()
  return true
}

/** Recognises an address without keeping it: another keyed hash every day. */
export function subjectOf(
  vault: Vault,
  use: "form" | "consent" | "mail",
  address: string,
  timezone: string,
  nowMs: number,
): string {
  return `${use}:${vault.fingerprint(`${dayIn(timezone, nowMs)} ${address}`, "visitor")}`
}
