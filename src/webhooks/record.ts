import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { prepared } from "../db/prepared.ts"
import type { AttemptKind, DeliveryState, Outcome } from "../db/tables/webhooks.ts"
import type { Claimed } from "./claim.ts"
import { forgetFailures, noteFailures } from "./failing.ts"
import { nextDueMs } from "./schedule.ts"

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
 */
export function recorder(db: Db, random: () => number): Record {
  const queries = recordQueries(db)

  return async (transaction, finished) => {
    for (const one of finished) {
      await queries.log(transaction, one)
      if (isDelivered(one)) await succeed(transaction, one)
      else if (one.claimed.kind === "automatic") await fail(transaction, one)
      else await queries.drop(transaction, one.claimed)
    }
    const answering = new Set(finished.filter(isDelivered).map(({ claimed }) => claimed.endpointId))
    await forgetFailures(transaction, [...answering])
    await noteFailures(
      transaction,
      finished.filter((one) => one.outcome !== "interrupted" && !answering.has(one.claimed.endpointId)),
    )
  }

  /** Whatever else was due of this delivery is no longer: the application has the message. */
  async function succeed(transaction: Db, { claimed, endedAtMs }: Finished): Promise<void> {
    const { deliveryId, kind } = claimed
    await queries.dropAll(transaction, { deliveryId })
    await queries.move(transaction, {
      deliveryId,
      state: "delivered",
      used: kind === "automatic" ? 1 : 0,
      endedAtMs,
    })
  }

  async function fail(transaction: Db, { claimed, outcome, endedAtMs }: Finished): Promise<void> {
    if (outcome === "interrupted") {
      // Nothing of the endpoint's doing: due again at once, and none of the 8 is used up.
      await queries.postpone(transaction, { ...claimed, dueAtMs: endedAtMs, late: claimed.late ? 1 : 0 })
      return
    }
    const { deliveryId } = claimed
    const dueAtMs = nextDueMs(claimed.attemptsMade + 1, endedAtMs, random)
    if (dueAtMs === undefined) {
      const { numAffectedRows } = await queries.drop(transaction, claimed)
      if (numAffectedRows)
        await queries.move(transaction, { deliveryId, state: "failed", used: 1, endedAtMs })
    } else {
      const { numAffectedRows } = await queries.postpone(transaction, { ...claimed, dueAtMs, late: 1 })
      if (numAffectedRows)
        await queries.move(transaction, { deliveryId, state: "pending", used: 1, endedAtMs: null })
    }
  }
}

function isDelivered({ outcome }: Finished): boolean {
  return outcome === "delivered"
}

type Claim = Pick<Claimed, "deliveryId" | "kind" | "attemptId">

function recordQueries(db: Db) {
  return {
    log: preparedLog(db),
    move: prepared<{ deliveryId: string; state: DeliveryState; used: 0 | 1; endedAtMs: number | null }>(
      (value) =>
        db
          .updateTable("delivery")
          .set((row) => ({
            state: value("state"),
            attempts_made: row("attempts_made", "+", value("used")),
            ended_at: value("endedAtMs"),
          }))
          .where("id", "=", value("deliveryId"))
          .compile(),
    ),
    postpone: prepared<Claim & { dueAtMs: number; late: 0 | 1 }>((value) =>
      db
        .updateTable("due_attempt")
        .set({ due_at: value("dueAtMs"), late: value("late"), attempt_id: null })
        .where("delivery_id", "=", value("deliveryId"))
        .where("kind", "=", value("kind"))
        .where("attempt_id", "=", value("attemptId"))
        .compile(),
    ),
    drop: prepared<Claim>((value) =>
      db
        .deleteFrom("due_attempt")
        .where("delivery_id", "=", value("deliveryId"))
        .where("kind", "=", value("kind"))
        .where("attempt_id", "=", value("attemptId"))
        .compile(),
    ),
    dropAll: prepared<{ deliveryId: string }>((value) =>
      db.deleteFrom("due_attempt").where("delivery_id", "=", value("deliveryId")).compile(),
    ),
  }
}

/**
 * The delivery may have been purged while the attempt was in flight, its payload erased (then what was answered, which may repeat
 * it, is not kept either), and the attempt taken for interrupted by another process.
 */
function preparedLog(db: Db) {
  const insert = prepared<{
    deliveryId: string
    attemptId: string
    kind: AttemptKind
    at: number
    outcome: Outcome
    status: number | null
    durationMs: number | null
    responseExcerpt: string | null
  }>((value) =>
    db
      .insertInto("attempt")
      .columns(["delivery_id", "id", "kind", "at", "outcome", "status", "duration_ms", "response_excerpt"])
      .expression(
        db
          .selectFrom("delivery")
          .innerJoin("message", "message.id", "delivery.message_id")
          .select([
            "delivery.id as delivery_id",
            sql<string>`${value("attemptId")}`.as("id"),
            sql<AttemptKind>`${value("kind")}`.as("kind"),
            sql<number>`${value("at")}`.as("at"),
            sql<Outcome>`${value("outcome")}`.as("outcome"),
            sql<number | null>`${value("status")}`.as("status"),
            sql<number | null>`${value("durationMs")}`.as("duration_ms"),
            sql<string | null>`CASE WHEN message.payload IS NOT NULL THEN ${value("responseExcerpt")} END`.as(
              "response_excerpt",
            ),
          ])
          .where("delivery.id", "=", value("deliveryId")),
      )
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  )
  return (transaction: Db, one: Finished) =>
    insert(transaction, { ...one.claimed, ...one, at: one.startedAtMs })
}
