import { type ExpressionBuilder, sql } from "kysely"
import { dayMs } from "../../base/clock.ts"
import { firstIdAt, idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf, deleteInSteps } from "../../db/delete-in-steps.ts"
import type { Schema } from "../../db/schema.ts"
import { inSteps } from "../../db/steps.ts"
import { lockingRows } from "../../db/words.ts"
import { purgeHours } from "../endpoints/hour-sums.ts"
import { purgeReceivedRequests } from "../endpoints/received-requests.ts"

/** "Delivery log: kept 30 days." (specification, part 4 B) */
export const logKeptMs = 30 * dayMs

const batchSize = 100
/** Attempts of a delivery that go in one transaction with their message. */
const attemptsTogether = 50
const attemptBytes = 1000

/**
 * Deletes messages older than 30 days with their payloads, deliveries and attempts. A message that is still
 * to be sent stays, however long the service was down; what `endLongWaits` ended stays for 30 days more. The counts of
 * each hour and what test receivers took go with them. Resolves to the number of deleted messages.
 */
export async function purgeLog(db: Db, nowMs: number): Promise<number> {
  let purged = 0
  let after = ""
  for (;;) {
    const ids = await expired(db, after, nowMs)
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    // Nothing bounds how often a delivery was sent again by hand.
    await deleteInSteps(db, "attempt", ({ and, eb, selectFrom }) =>
      and([
        eb("delivery_number", "in", selectFrom("delivery").select("number").where("message_id", "in", ids)),
        eb("number", ">", attemptsTogether),
      ]),
    )
    purged += await deleteUnlessDue(db, ids, nowMs)
  }
  await purgeHours(db, nowMs)
  await purgeReceivedRequests(db, nowMs)
  return purged
}

/** A resend may be asked for after the query, or at this moment: the deletion checks for due deliveries again. */
function deleteUnlessDue(db: Db, ids: string[], nowMs: number): Promise<number> {
  return inSteps(
    db,
    async (transaction) => {
      await transaction
        .selectFrom("delivery")
        .select("number")
        .where("message_id", "in", ids)
        .orderBy("number")
        .$call(lockingRows(transaction))
        .execute()
      return (
        transaction
          .selectFrom("message")
          .select("id")
          // The text of the search stands in an index too.
          .select((message) =>
            sql<number>`${bytesOf("payload", "search_text", "search_text")}
          + ${attemptBytes} * ${attemptCount(message)}`.as("bytes"),
          )
          .where("id", "in", ids)
          .where(nothingIsLeft(nowMs))
          .execute()
      )
    },
    (transaction, messages) => transaction.deleteFrom("message").where("id", "in", idsOf(messages)).execute(),
  )
}

function attemptCount({ selectFrom }: ExpressionBuilder<Schema, "message">) {
  return selectFrom("delivery")
    .innerJoin("attempt", "attempt.delivery_number", "delivery.number")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .whereRef("delivery.message_id", "=", "message.id")
    .$asScalar()
}

async function expired(db: Db, after: string, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom("message")
    .select("id")
    .where("id", ">", after)
    .where("id", "<", firstIdAt("msg", nowMs - logKeptMs))
    .where(nothingIsLeft(nowMs))
    .orderBy("id")
    .limit(batchSize)
    .execute()
  return idsOf(rows)
}

/** Neither something to be sent nor, of what waited too long for its turn, a log that is kept since that was ended. */
function nothingIsLeft(nowMs: number) {
  return (message: ExpressionBuilder<Schema, "message">) =>
    message.not(
      message.exists(
        message
          .selectFrom("delivery")
          .select("delivery.number")
          .whereRef("delivery.message_id", "=", "message.id")
          .where(({ and, or, eb }) =>
            or([
              eb("due_at", "is not", null),
              eb("resend_at", "is not", null),
              eb("waits_since", "is not", null),
              and([eb("cancel_reason", "=", "waited"), eb("ended_at", ">", nowMs - logKeptMs)]),
            ]),
          ),
      ),
    )
}
