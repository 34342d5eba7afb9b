import { randomUUID } from "node:crypto"
import { dayIn } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../vault.ts"

/** At most `count` in any `windowMs`. */
export interface Allowance {
  count: number
  windowMs: number
}

/**
 * Takes one of the places a subject has within the window; false when all are taken. What finds no place is not counted:
 * however fast it comes, there are never more rows than places.
 */
export async function takePlace(
  transaction: Db,
  subject: string,
  { count, windowMs }: Allowance,
  nowMs: number,
): Promise<boolean> {
  await transaction.deleteFrom("recent_visit").where("until", "<=", nowMs).execute()
  const { taken } = await transaction
    .selectFrom("recent_visit")
    .select((row) => row.fn.countAll<number>().as("taken"))
    .where("subject", "=", subject)
    .executeTakeFirstOrThrow()
  if (taken >= count) return false
  await transaction
    .insertInto("recent_visit")
    .values({ id: randomUUID(), subject, until: nowMs + windowMs })
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
