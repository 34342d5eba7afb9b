import type { Db } from "../../db/connection.ts"
import { engineOf } from "../../db/words.ts"

/**
 * Locks deliveries until the end of the transaction. Every transaction locks rows in one order, so that no two wait
 * for each other: deliveries by number, then messages, then failures of endpoints, then endpoints. SQLite has one
 * writer at a time anyway.
 */
export async function lockDeliveries(transaction: Db, numbers: readonly number[]): Promise<void> {
  if (engineOf(transaction) === "sqlite" || numbers.length === 0) return
  await transaction
    .selectFrom("delivery")
    .select("number")
    .where("number", "in", numbers)
    .orderBy("number")
    .forUpdate()
    .execute()
}
