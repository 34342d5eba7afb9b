import type { Db } from "../db/connection.ts"
import { preparedForEach } from "../db/prepared.ts"
import type { DeliveryState, Outcome } from "../db/tables/webhooks.ts"
import type { Claimed } from "./claim.ts"
import { forgetFailures, noteFailures } from "./failing.ts"
import { type Fate, fateOf } from "./fate.ts"

/** What came of an attempt. */
export interface Finished {
  claimed: Claimed
  startedAtMs: number
  endedAtMs: number
  /** Measured apart from the clock, which may leap. */
  durationMs: number
  outcome: Outcome
  /** The HTTP status, when there was an answer. */
  status: number | null
  responseExcerpt: string | null
}

export type Record = (transaction: Db, finished: readonly Finished[]) => Promise<void>

/**
 * Writes down what came of attempts: the log, the state of the delivery and when it is tried next. Success counts whoever had it;
 * failure moves only a delivery that is still claimed by this very attempt, since it may have been cancelled or taken over meanwhile.
 * Each statement runs for all attempts at once, which spares a fifth of a delivery's time.
 */
export function recorder(db: Db, random: () => number): Record {
  const queries = recordQueries(db)

  return async (transaction, finished) => {
    const delivered = finished.filter(isDelivered)
    const others = finished.filter((one) => !isDelivered(one))
    // Success comes last: it counts beside a failure of the same delivery too.
    const fates = [...others, ...delivered].map((one) => fateOf(one, random))
    const [postponed, dropped] = [fates.filter(isDueAgain), fates.filter((fate) => !isDueAgain(fate))]
    const changes = [
      ...(await queries.postpone(transaction, postponed)),
      ...(await queries.drop(transaction, dropped)),
    ]
    const held = new Set([...postponed, ...dropped].filter((_, index) => changes[index] === 1))
    const lost = fates.filter((fate) => !held.has(fate))
    // What else is due of it, the automatic attempts beside a manual one, is no longer: the application has the message.
    const settled = fates.filter((fate) => isDelivered(fate) && (fate.kind === "manual" || !held.has(fate)))
    await queries.dropAll(transaction, settled)
    await queries.move(
      transaction,
      fates.filter(isMoved).filter((fate) => isDelivered(fate) || held.has(fate)),
    )
    await queries.log(transaction, [...held])
    await queries.logOfLost(transaction, lost)
    await countFailures(transaction, delivered, others)
  }
}

async function countFailures(
  transaction: Db,
  delivered: readonly Finished[],
  others: readonly Finished[],
): Promise<void> {
  const answering = new Set(delivered.map(({ claimed }) => claimed.endpointId))
  await forgetFailures(transaction, [...answering])
  await noteFailures(
    transaction,
    others.filter((one) => one.outcome !== "interrupted" && !answering.has(one.claimed.endpointId)),
  )
}

function isDelivered({ outcome }: { outcome: Outcome }): boolean {
  return outcome === "delivered"
}

function isDueAgain(fate: Fate): fate is Fate & { dueAtMs: number } {
  return fate.dueAtMs !== null
}

function isMoved(fate: Fate): fate is Fate & { state: DeliveryState } {
  return fate.state !== null
}

function recordQueries(db: Db) {
  return {
    log: preparedLog(db),
    logOfLost: preparedLogOfLost(db),
    postpone: preparedForEach<Fate & { dueAtMs: number }>((value) =>
      db
        .updateTable("due_attempt")
        .set({ due_at: value("dueAtMs"), late: value("late"), attempt_id: null, leased_until: null })
        .where("delivery_id", "=", value("deliveryId"))
        .where("kind", "=", value("kind"))
        .where("attempt_id", "=", value("attemptId"))
        .compile(),
    ),
    drop: preparedForEach<Fate>((value) =>
      db
        .deleteFrom("due_attempt")
        .where("delivery_id", "=", value("deliveryId"))
        .where("kind", "=", value("kind"))
        .where("attempt_id", "=", value("attemptId"))
        .compile(),
    ),
    dropAll: preparedForEach<Fate>((value) =>
      db.deleteFrom("due_attempt").where("delivery_id", "=", value("deliveryId")).compile(),
    ),
    move: preparedForEach<Fate & { state: DeliveryState }>((value) =>
      db
        .updateTable("delivery")
        .set((row) => ({
          state: value("state"),
          attempts_made: row("attempts_made", "+", value("used")),
          ended_at: value("overAtMs"),
        }))
        .where("id", "=", value("deliveryId"))
        .compile(),
    ),
  }
}

function preparedLog(db: Db) {
  return preparedForEach<Fate>((value) =>
    db
      .insertInto("attempt")
      .values({
        delivery_id: value("deliveryId"),
        id: value("attemptId"),
        kind: value("kind"),
        at: value("at"),
        outcome: value("outcome"),
        status: value("status"),
        duration_ms: value("durationMs"),
        response_excerpt: value("responseExcerpt"),
      })
      .compile(),
  )
}

/**
 * When the claim is no longer held, the delivery may have been purged, its payload erased (then what was answered, which may repeat
 * it, is not kept either), or the attempt taken for interrupted by another process.
 */
function preparedLogOfLost(db: Db) {
  return preparedForEach<Fate>((value) =>
    db
      .insertInto("attempt")
      .columns(["delivery_id", "id", "kind", "at", "outcome", "status", "duration_ms", "response_excerpt"])
      .expression(
        db
          .selectFrom("delivery")
          .innerJoin("message", "message.id", "delivery.message_id")
          .select((row) => [
            "delivery.id as delivery_id",
            row.val(value("attemptId")).as("id"),
            row.val(value("kind")).as("kind"),
            row.val(value("at")).as("at"),
            row.val(value("outcome")).as("outcome"),
            row.val(value("status")).as("status"),
            row.val(value("durationMs")).as("duration_ms"),
            row
              .case()
              .when("message.payload", "is not", null)
              .then(value("responseExcerpt"))
              .end()
              .as("response_excerpt"),
          ])
          .where("delivery.id", "=", value("deliveryId")),
      )
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  )
}
