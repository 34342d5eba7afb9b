import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import { inStepsOver } from "../../db/steps.ts"
import { automaticAttempts, longestWaitMs } from "../messages/retry-schedule.ts"
import type { Claim } from "./queue.ts"

/** The due time of each claim in the database; null once its delivery was cancelled, erased or purged. */
export async function readDueTimes(
  transaction: Db,
  claims: readonly Claim[],
): Promise<Map<Claim, number | null>> {
  if (claims.length === 0) return new Map()
  const rows = await transaction
    .selectFrom("delivery")
    .select(["number", "due_at", "resend_at"])
    .where(
      "number",
      "in",
      claims.map(({ deliveryNumber }) => deliveryNumber),
    )
    .execute()
  const deliveries = new Map(rows.map((row) => [row.number, row]))
  return new Map(
    claims.map((claim) => {
      const delivery = deliveries.get(claim.deliveryNumber)
      return [claim, (claim.kind === "automatic" ? delivery?.due_at : delivery?.resend_at) ?? null]
    }),
  )
}

/**
 * Repairs the due times after the clock was set back: none stays further ahead than its own wait. An attempt may come
 * later than it would have, but it comes, and never early. Those of the deliveries `inFlight`, by whose due times the
 * results of their attempts are known, are left to the transaction that writes these down.
 */
export async function bringDueTimesBack(db: Db, nowMs: number, inFlight: readonly number[]): Promise<void> {
  const { first, last } = await db
    .selectFrom("delivery")
    .select(({ fn }) => [fn.min("number").as("first"), fn.max("number").as("last")])
    .executeTakeFirstOrThrow()
  const blocks = first === null ? [] : blockStarts(Number(first), Number(last))
  await inStepsOver(db, blocks, block.bytes, (transaction, some) => {
    const [from, upTo] = [some[0] as number, (some.at(-1) as number) + block.numbers]
    const others = inFlight.length === 0 ? sql`` : sql`AND number NOT IN (${sql.join(inFlight)})`
    return bringBack(transaction, nowMs, sql`number >= ${from} AND number < ${upTo} ${others}`)
  })
}

/** The same for those in flight, in the transaction that has written down what has ended. */
export async function bringInFlightBack(transaction: Db, nowMs: number, inFlight: readonly number[]) {
  if (inFlight.length > 0) await bringBack(transaction, nowMs, sql`number IN (${sql.join(inFlight)})`)
}

/** Deliveries by number: a slice of a step takes twenty blocks. */
const block = { numbers: 100, bytes: 100 * 100 }

function blockStarts(first: number, last: number): number[] {
  const count = Math.floor((last - first) / block.numbers) + 1
  return Array.from({ length: count }, (_, at) => first + at * block.numbers)
}

async function bringBack(transaction: Db, nowMs: number, those: RawBuilder<unknown>): Promise<void> {
  const waits = Array.from({ length: automaticAttempts }, (_, attemptsMade) => longestWaitMs(attemptsMade))
  const longestWait = sql`CASE attempts_made ${sql.join(
    waits.map((ms, attemptsMade) => sql`WHEN ${sql.lit(attemptsMade)} THEN ${sql.lit(ms)}`),
    sql` `,
  )} ELSE 0 END`
  await sql`
    UPDATE delivery SET due_at = ${sql.lit(nowMs)} + ${longestWait}
    WHERE ${those} AND due_at > ${nowMs} AND due_at > ${sql.lit(nowMs)} + ${longestWait}`.execute(transaction)
  await sql`
    UPDATE delivery SET resend_at = ${nowMs} WHERE ${those} AND resend_at > ${nowMs}`.execute(transaction)
}
