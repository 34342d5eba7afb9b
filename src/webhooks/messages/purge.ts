import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { ExpressionBuilder } from "kysely"
import { dayMs } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { Schema } from "../../db/schema.ts"
import { lockingRows } from "../../db/words.ts"
import { purgeHours } from "../endpoints/hour-sums.ts"
import { purgeTaken } from "../test-receiver/keep.ts"

/** "Delivery log: kept 30 days." (specification, part 4 B) */
export const logKeptMs = 30 * dayMs

/** Transactions stay small, with a turn of the event loop between them, so that nobody waits for a purge. */
const batchSize = 100

/**
 * Deletes messages older than 30 days with their payloads, deliveries and attempts. A message that is still
 * to be sent stays, however long the service was down. The counts of each hour and what test receivers took go
 * with them. Resolves to the number of deleted messages.
 */
export async function purgeLog(db: Db, nowMs: number): Promise<number> {
  let purged = 0
  let after = ""
  for (;;) {
    const ids = await expired(db, after, nowMs)
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    purged += await db.transaction().execute((transaction) => deleteUnlessDue(transaction, ids))
    await yieldToEventLoop()
  }
  await purgeHours(db, nowMs)
  await purgeTaken(db, nowMs)
  return purged
}

/** Somebody may ask for a resend after the query, or be asking now: the deletion checks for due deliveries again. */
async function deleteUnlessDue(transaction: Db, ids: string[]): Promise<number> {
  await transaction
    .selectFrom("delivery")
    .select("number")
    .where("message_id", "in", ids)
    .orderBy("number")
    .$call(lockingRows(transaction))
    .execute()
  const { numDeletedRows } = await transaction
    .deleteFrom("message")
    .where("id", "in", ids)
    .where(nothingIsDue)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function expired(db: Db, after: string, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom("message")
    .select("id")
    .where("id", ">", after)
    .where("id", "<", firstIdAt("msg", nowMs - logKeptMs))
    .where(nothingIsDue)
    .orderBy("id")
    .limit(batchSize)
    .execute()
  return rows.map((row) => row.id)
}

function nothingIsDue(message: ExpressionBuilder<Schema, "message">) {
  return message.not(
    message.exists(
      message
        .selectFrom("delivery")
        .select("delivery.number")
        .whereRef("delivery.message_id", "=", "message.id")
        .where((due) => due.or([due("due_at", "is not", null), due("resend_at", "is not", null)])),
    ),
  )
}
