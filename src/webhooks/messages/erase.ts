import type { Db } from "../../db/connection.ts"
import { lockDeliveries } from "../delivery/lock-deliveries.ts"
import { cancel } from "../endpoints/cancel.ts"

const batchSize = 500

/**
 * Erases the payloads about these form responses, in the transaction that erases the responses, with what the
 * log names of them. The endpoints' answers may repeat a payload, so their excerpts and headers are erased too.
 * The deliveries stay in the log; pending ones are cancelled.
 */
export async function erasePayloads(
  transaction: Db,
  responseIds: readonly string[],
  nowMs: number,
): Promise<void> {
  for (let start = 0; start < responseIds.length; start += batchSize)
    await eraseBatch(transaction, responseIds.slice(start, start + batchSize), nowMs)
}

async function eraseBatch(transaction: Db, responseIds: readonly string[], nowMs: number): Promise<void> {
  const messages = transaction.selectFrom("message").select("id").where("response_id", "in", responseIds)
  const deliveries = await transaction
    .selectFrom("delivery")
    .select("number")
    .where("message_id", "in", messages)
    .execute()
  const numbers = deliveries.map(({ number }) => number)
  // First, so that an attempt whose result is being stored is waited for, and its excerpt seen.
  await lockDeliveries(transaction, numbers)
  await transaction
    .updateTable("message")
    .set({ payload: null, person: null, search_text: null })
    .where("response_id", "in", responseIds)
    .execute()
  await transaction.deleteFrom("test_request").where("message_id", "in", messages).execute()
  await cancel(transaction, numbers, nowMs)
  await transaction
    .updateTable("attempt")
    .set({ response_excerpt: null, response_headers: null })
    .where("delivery_number", "in", numbers)
    .execute()
}
