import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { engineOf } from "../../db/words.ts"
import { lockDeliveries } from "../endpoints/cancel.ts"
import { requireActiveEndpoint } from "../endpoints/endpoint.ts"
import { isPaced } from "../endpoints/pace.ts"
import { exhausted, replayable, replayedStates } from "../endpoints/replayable.ts"
import { automaticAttempts } from "./retry-schedule.ts"

/** Transactions stay small, so that others do not wait behind a long one. */
const batchSize = 500

/**
 * Sends again the deliveries of an endpoint that failed or were cancelled since `sinceMs`, with those of the
 * time when it was inactive. Its present filter applies. A delivery whose automatic attempts are used up gets one
 * more attempt, as a resend by hand; a cancelled one gets the attempts it had left. Resolves to the number of
 * deliveries, without those attempted too often. The caller wakes the dispatcher afterwards. Throws
 * Refusal as `requireActiveEndpoint` does.
 */
export async function replay(
  db: Db,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  sinceMs: number,
  nowMs: number,
): Promise<number> {
  let count = 0
  for (const state of replayedStates) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const search: Search = { endpointId, state, sinceMs, after }
      after = await withLock(db, `endpoint:${endpointId}`, async (transaction) => {
        // Since the last batch, the endpoint may have become inactive and payloads may have been erased: each
        // batch checks both in its own transaction.
        const waits = isPaced(await requireActiveEndpoint(transaction, workspaceId, endpointId))
        const batch = await undelivered(transaction, search)
        const tooOften = await exhausted(transaction, deliveryNumbers(batch))
        const hasAttemptsLeft = (delivery: Undelivered) =>
          state === "cancelled" && delivery.attempts_made < automaticAttempts
        count += await revive(transaction, deliveryNumbers(batch.filter(hasAttemptsLeft)), nowMs, waits)
        count += await resend(
          transaction,
          deliveryNumbers(batch.filter((each) => !hasAttemptsLeft(each) && !tooOften.has(each.number))),
          nowMs,
          waits,
        )
        return batch.at(-1)?.id
      })
    }
  }
  return count
}

interface Search {
  endpointId: string
  state: (typeof replayedStates)[number]
  sinceMs: number
  after: string
}

interface Undelivered {
  number: number
  id: string
  attempts_made: number
}

function deliveryNumbers(found: readonly Undelivered[]): number[] {
  return found.map(({ number }) => number)
}

async function undelivered(transaction: Db, { endpointId, state, sinceMs, after }: Search) {
  const search = replayable(transaction, state, sinceMs)
    .select(["delivery.number", "delivery.id", "delivery.attempts_made"])
    .where("delivery.endpoint_id", "=", endpointId)
    .where("delivery.id", ">", after)
    .orderBy("delivery.id")
    .limit(batchSize)
  if (engineOf(transaction) === "sqlite") return search.execute()
  const numbers = deliveryNumbers(await search.execute())
  await lockDeliveries(transaction, numbers)
  // An erasure that was under way is over: what it left is read again.
  return search.where("delivery.number", "in", numbers).forUpdate().execute()
}

/** How an attempt comes: it is due, or waits for its turn. */
function dueOrWaiting<Name extends "due_at" | "resend_at">(name: Name, nowMs: number, waits: boolean) {
  return waits ? { waits_since: nowMs } : ({ [name]: nowMs } as { [Each in Name]: number })
}

async function revive(transaction: Db, numbers: readonly number[], nowMs: number, waits: boolean) {
  const { numUpdatedRows } = await transaction
    .updateTable("delivery")
    // New messages go first: a replayed delivery has the low priority of late retries.
    .set({ state: "pending", ended_at: null, due_is_late: 1, replayed_at: nowMs })
    .set(dueOrWaiting("due_at", nowMs, waits))
    .where("number", "in", numbers)
    .where("state", "=", "cancelled")
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function resend(transaction: Db, numbers: readonly number[], nowMs: number, waits: boolean) {
  const { numUpdatedRows } = await transaction
    .updateTable("delivery")
    .set({ resend_is_late: 1, replayed_at: nowMs })
    .set(dueOrWaiting("resend_at", nowMs, waits))
    .where("number", "in", numbers)
    .where("resend_at", "is", null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
