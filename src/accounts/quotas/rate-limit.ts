import { sql } from "kysely"
import { dayIn } from "../../base/clock.ts"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"

/** So many at once; each is given back after its share of the window, all of them after the whole. */
export interface Allowance {
  count: number
  windowMs: number
}

/** Takes one of a subject's places; false when none is left. However many are taken, it is one row and one step. */
export async function takePlace(
  transaction: Db,
  subject: string,
  { count, windowMs }: Allowance,
  nowMs: number,
): Promise<boolean> {
  // Shares such as a third of a minute add up to a little more than their sum.
  const latest = nowMs + windowMs + 0.01
  const { rows } = await take(transaction, { subject, share: windowMs / count, latest, nowMs })
  return rows.length > 0
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

const take = preparedOnce<
  { subject: string; share: number; latest: number; nowMs: number },
  { until: number }
>((db, value) => {
  // Nobody has taken more than the whole: then the clock was set back, and the visitor begins anew.
  const from = sql<number>`iif(until <= ${value("latest")}, max(until, ${value("nowMs")}), ${value("nowMs")}) + ${value("share")}`
  return sql<{ until: number }>`
    INSERT INTO recent_visit (subject, until) VALUES (${value("subject")}, ${value("nowMs")} + ${value("share")})
    ON CONFLICT (subject) DO UPDATE SET until = ${from} WHERE ${from} <= ${value("latest")}
    RETURNING until`.compile(db)
})
