import { sql } from "kysely"
import type { Db } from "../../db/sqlite/connection.ts"
import { automaticAttempts } from "../delivery/retry-schedule.ts"
import { activeEndpoint } from "../endpoints/active-endpoint.ts"
import { isTaken } from "../endpoints/taken.ts"

/** Small transactions, so that nobody waits behind a long one. */
const batchSize = 500

/**
 * Sends again what failed or was cancelled for an endpoint since then, what came in while it was inactive
 * included, of the forms that it gets now. A delivery that has had its 8 attempts gets one more, by hand as
 * it were; a cancelled one those it had left. Resolves to how many. The dispatcher is to be woken afterwards.
 */
export async function replay(
  db: Db,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  sinceMs: number,
  nowMs: number,
): Promise<number> {
  let count = 0
  for (const state of ["cancelled", "failed"] as const) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const sought: Sought = { endpointId, state, sinceMs, after }
      after = await db.transaction().execute(async (transaction) => {
        // It may have been made inactive since the batch before, and what is sought erased: all is looked at
        // where it is written.
        await activeEndpoint(transaction, workspaceId, endpointId)
        const found = await undelivered(transaction, sought)
        const hasSome = (one: Undelivered) => state === "cancelled" && one.attempts_made < automaticAttempts
        count += await revive(transaction, numbersOf(found.filter(hasSome)), nowMs)
        count += await resend(transaction, numbersOf(found.filter((one) => !hasSome(one))), nowMs)
        return found.at(-1)?.id
      })
    }
  }
  return count
}

interface Sought {
  endpointId: string
  state: "failed" | "cancelled"
  sinceMs: number
  after: string
}

interface Undelivered {
  number: number
  id: string
  attempts_made: number
}

function numbersOf(found: readonly Undelivered[]): number[] {
  return found.map(({ number }) => number)
}

async function undelivered(db: Db, { endpointId, state, sinceMs, after }: Sought): Promise<Undelivered[]> {
  return (
    db
      .selectFrom("delivery")
      .innerJoin("message", "message.id", "delivery.message_id")
      .select(["delivery.number", "delivery.id", "delivery.attempts_made"])
      .where("delivery.endpoint_id", "=", endpointId)
      // A literal: SQLite takes the partial index only when it can see that the state is one of it.
      .where("delivery.state", "=", sql.lit(state))
      .where("delivery.id", ">", after)
      .where("delivery.ended_at", ">=", sinceMs)
      .where("message.payload", "is not", null)
      .where(isTaken)
      .orderBy("delivery.id")
      .limit(batchSize)
      .execute()
  )
}

async function revive(transaction: Db, numbers: readonly number[], nowMs: number): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("delivery")
    // What is new goes before what is sent again.
    .set({ state: "pending", ended_at: null, due_at: nowMs, due_late: 1 })
    .where("number", "in", numbers)
    .where("state", "=", "cancelled")
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function resend(transaction: Db, numbers: readonly number[], nowMs: number): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("delivery")
    .set({ resend_at: nowMs, resend_late: 1 })
    .where("number", "in", numbers)
    .where("resend_at", "is", null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
