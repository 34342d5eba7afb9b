import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { activeEndpoint } from "./active-endpoint.ts"

/** Small transactions, so that nobody waits behind a long one. */
const batchSize = 500

/**
 * Sends again what failed or was cancelled for an endpoint since then, what came in while it was inactive included. A failed
 * delivery has had its 8 attempts and gets one more, by hand as it were; a cancelled one gets those it had left.
 * Resolves to how many. The dispatcher is to be woken afterwards.
 */
export async function replay(
  db: Db,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  sinceMs: number,
  nowMs: number,
): Promise<number> {
  await activeEndpoint(db, workspaceId, endpointId)
  let count = 0
  for (const state of ["cancelled", "failed"] as const) {
    let after = ""
    for (;;) {
      const ids = await undelivered(db, { endpointId, state, sinceMs, after })
      const last = ids.at(-1)
      if (last === undefined) break
      after = last
      count += await db.transaction().execute(async (transaction) => {
        if (state === "failed") return due(transaction, "manual", endpointId, ids, nowMs)
        const revived = await revive(transaction, ids)
        await due(transaction, "automatic", endpointId, revived, nowMs)
        return revived.length
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

async function undelivered(db: Db, { endpointId, state, sinceMs, after }: Sought): Promise<string[]> {
  const rows = await db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("delivery.id")
    .where("delivery.endpoint_id", "=", endpointId)
    // A literal: SQLite takes the partial index only when it can see that the state is one of it.
    .where("delivery.state", "=", sql.lit(state))
    .where("delivery.id", ">", after)
    .where("delivery.ended_at", ">=", sinceMs)
    .where("message.payload", "is not", null)
    .orderBy("delivery.id")
    .limit(batchSize)
    .execute()
  return rows.map((row) => row.id)
}

async function revive(transaction: Db, ids: string[]): Promise<string[]> {
  const rows = await transaction
    .updateTable("delivery")
    .set({ state: "pending", ended_at: null })
    .where("id", "in", ids)
    .where("state", "=", "cancelled")
    .returning("id")
    .execute()
  return rows.map((row) => row.id)
}

async function due(
  transaction: Db,
  kind: "automatic" | "manual",
  endpointId: string,
  ids: string[],
  nowMs: number,
): Promise<number> {
  if (ids.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("due_attempt")
    .values(
      ids.map((id) => ({
        delivery_id: id,
        kind,
        endpoint_id: endpointId,
        // What is new goes before what is sent again.
        late: 1 as const,
        due_at: nowMs,
        attempt_id: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0)
}
