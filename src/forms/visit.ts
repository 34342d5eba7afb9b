import { dayIn } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { preparedOnce } from "../db/prepared.ts"
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
  await removeEmpty(transaction, { nowMs })
  const [row] = (await find(transaction, { subject })).rows
  // Shares such as a third of a minute add up to a little more than their sum.
  const latest = nowMs + windowMs + 0.01
  // Nobody takes more than the whole: the clock was set back, and the visitor begins anew.
  const taken = row && row.until <= latest ? row.until : nowMs
  const until = taken + windowMs / count
  if (until > latest) return false
  await keep(transaction, { subject, until })
  return true
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

const removeEmpty = preparedOnce<{ nowMs: number }>((db, value) =>
  db.deleteFrom("recent_visit").where("until", "<=", value("nowMs")).compile(),
)

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
