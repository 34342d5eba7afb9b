import { sql } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { inSteps, inStepsOver } from "../../db/steps.ts"
import { changeRows, findRow } from "../../db/store.ts"
import { dueColumns } from "../../db/tables/webhooks.ts"
import { lockUntilCommit } from "../../db/with-lock.ts"
import { engineOf, lockingRows } from "../../db/words.ts"
import { matchesFilter } from "./endpoint-filter.ts"
import { forgetFailures } from "./failing.ts"
import { firstWaiting } from "./pace.ts"

/** Deliveries that a transaction cancels which has other things to do. */
const batchSize = 100
const deliveryBytes = 500

interface CancelDeps {
  db: Db
  /** The dispatcher may have claimed the cancelled deliveries ahead. */
  messageQueue: { invalidateClaims(): void }
}

/**
 * Cancels every pending delivery of an endpoint that was made inactive or deleted. An attempt in flight runs
 * to its end and is logged. A replay can send the cancelled deliveries again. Stops when the endpoint becomes
 * active again. Deliveries that a crash leaves pending are cancelled once they are due.
 */
export async function cancelBacklog({ db, messageQueue }: CancelDeps, endpointId: string, nowMs: number) {
  await inSteps(
    db,
    async (transaction, atMost) => {
      await lockUntilCommit(transaction, `endpoint:${endpointId}`)
      if (await isActive(transaction, endpointId)) return []
      const numbers = await dueFor(transaction, endpointId, atMost)
      return numbers.map((number) => ({ number, bytes: deliveryBytes }))
    },
    async (transaction, rows) => {
      await cancel(
        transaction,
        rows.map(({ number }) => number),
        nowMs,
      )
      await forgetFailures(transaction, [endpointId])
    },
    messageQueue.invalidateClaims,
  )
}

/** Cancels one batch of an endpoint's pending deliveries, and resolves to the size of the batch. */
export async function cancelPending(transaction: Db, endpointId: string, nowMs: number): Promise<number> {
  const numbers = await dueFor(transaction, endpointId)
  await cancel(transaction, numbers, nowMs)
  await forgetFailures(transaction, [endpointId])
  return numbers.length
}

/**
 * Cancels every pending delivery that the endpoint's filter now excludes. An attempt in flight runs to its
 * end and is logged. Deliveries that a crash leaves pending are cancelled once they are due.
 */
export async function cancelExcludedBacklog(
  { db, messageQueue }: CancelDeps,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  const due = await dueFor(db, endpointId, Number.MAX_SAFE_INTEGER)
  await inStepsOver(
    db,
    due,
    deliveryBytes,
    async (transaction, numbers) => {
      await lockUntilCommit(transaction, `endpoint:${endpointId}`)
      await cancelExcluded(transaction, numbers, nowMs)
    },
    messageQueue.invalidateClaims,
  )
}

/** Does the same for the first batch that is due: the dispatcher may have claimed it already. */
export async function cancelExcludedBatch(transaction: Db, endpointId: string, nowMs: number): Promise<void> {
  await cancelExcluded(transaction, await dueFor(transaction, endpointId), nowMs)
}

/**
 * The numbers of an endpoint's deliveries that have an attempt to come, first due first: at most `atMost` for
 * each kind (automatic or by hand) and each priority, and `atMost` that wait for their turn.
 */
async function dueFor(db: Db, endpointId: string, atMost = batchSize): Promise<number[]> {
  const portions: { number: number }[][] = []
  for (const [dueAt, isLate] of dueColumns) {
    for (const late of [0, 1] as const) {
      const due = db
        .selectFrom("delivery")
        .select("number")
        .where(isLate, "=", late)
        .where("endpoint_id", "=", endpointId)
        .where(dueAt, "is not", null)
        .orderBy(dueAt)
        .limit(atMost)
      portions.push(await due.execute())
    }
  }
  return [...portions.flat().map(({ number }) => number), ...(await firstWaiting(db, endpointId, atMost))]
}

/** Cancels those of these deliveries that their endpoint's filter excludes, and resolves to their numbers. */
export async function cancelExcluded(
  transaction: Db,
  deliveryNumbers: readonly number[],
  nowMs: number,
): Promise<number[]> {
  if (deliveryNumbers.length === 0) return []
  const excluded = await transaction
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("delivery.number")
    .where("delivery.number", "in", deliveryNumbers)
    .where(sql<boolean>`NOT ${matchesFilter()}`)
    .execute()
  const numbers = excluded.map(({ number }) => number)
  await cancel(transaction, numbers, nowMs)
  return numbers
}

/** Throws Refusal `conflict` where no attempt is to come. */
export async function cancelOne(transaction: Db, id: string, nowMs: number): Promise<void> {
  const delivery = await transaction
    .selectFrom("delivery")
    .select(["number", "due_at", "resend_at", "waits_since"])
    .where("id", "=", id)
    .$call(lockingRows(transaction))
    .executeTakeFirstOrThrow()
  if (delivery.due_at === null && delivery.resend_at === null && delivery.waits_since === null)
    throw new Refusal("conflict", detail("webhooks.nothingToCancel"))
  await cancel(transaction, [delivery.number], nowMs)
}

/** Removes every due time of these deliveries; pending ones become cancelled. */
export async function cancel(
  transaction: Db,
  deliveryNumbers: readonly number[],
  nowMs: number,
  reason: "waited" | null = null,
): Promise<void> {
  await lockDeliveries(transaction, deliveryNumbers)
  const these = { number: deliveryNumbers }
  const ended = { state: "cancelled", ended_at: nowMs, cancel_reason: reason } as const
  await changeRows(transaction, "delivery", { ...these, state: "pending" }, ended)
  const noAttempt = { due_at: null, resend_at: null, replayed_at: null, waits_since: null }
  await changeRows(transaction, "delivery", these, noAttempt)
}

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

async function isActive(transaction: Db, endpointId: string): Promise<boolean> {
  const endpoint = await findRow(transaction, "endpoint", { id: endpointId })
  return endpoint?.active === 1
}
