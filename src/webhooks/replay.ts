import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { activeEndpoint } from "./active-endpoint.ts"
import { isTaken } from "./taken.ts"

/** Small transactions, so that nobody waits behind a long one. */
const batchSize = 500

/**
 * Sends again what failed or was cancelled for an endpoint since then, what came in while it was inactive included, of the forms that
 * it gets now. A failed
 * delivery has had its 8 attempts and gets one more, by hand as it were; a cancelled one gets those it had left.
 * Resolves to how many. The dispatcher is to be woken afterwards.
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
        // It may have been made inactive since the batch before, and what is sought erased: all is looked at where it is written.
        await activeEndpoint(transaction, workspaceId, endpointId)
        const found = await undelivered(transaction, sought)
        count += await sendAgain(transaction, sought, found, nowMs)
        return found.at(-1)?.id
      })
    }
  }
  return count
}

interface Found {
  id: string
  message_id: string
}

interface Sought {
  endpointId: string
  state: "failed" | "cancelled"
  sinceMs: number
  after: string
}

async function undelivered(db: Db, { endpointId, state, sinceMs, after }: Sought): Promise<Found[]> {
  return (
    db
      .selectFrom("delivery")
      .innerJoin("message", "message.id", "delivery.message_id")
      .select(["delivery.id", "delivery.message_id"])
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

async function sendAgain(
  transaction: Db,
  { state, endpointId }: Sought,
  found: Found[],
  nowMs: number,
): Promise<number> {
  if (found.length === 0) return 0
  if (state === "failed") return due(transaction, "manual", endpointId, found, nowMs)
  const revived = await revive(transaction, found)
  await due(transaction, "automatic", endpointId, revived, nowMs)
  return revived.length
}

async function revive(transaction: Db, found: Found[]): Promise<Found[]> {
  return transaction
    .updateTable("delivery")
    .set({ state: "pending", ended_at: null })
    .where(
      "id",
      "in",
      found.map(({ id }) => id),
    )
    .where("state", "=", "cancelled")
    .returning(["id", "message_id"])
    .execute()
}

async function due(
  transaction: Db,
  kind: "automatic" | "manual",
  endpointId: string,
  found: Found[],
  nowMs: number,
): Promise<number> {
  if (found.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("due_attempt")
    .values(
      found.map(({ id, message_id }) => ({
        delivery_id: id,
        kind,
        endpoint_id: endpointId,
        // What is new goes before what is sent again.
        late: 1 as const,
        due_at: nowMs,
        message_id,
        attempt_id: null,
        leased_until: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0)
}
