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
      const held = isDelivered(one) ? await succeed(transaction, one) : await fail(transaction, one)
      await (held ? queries.log : queries.logOfLost)(transaction, attemptOf(one))
    }
    const answering = new Set(finished.filter(isDelivered).map(({ claimed }) => claimed.endpointId))
    await forgetFailures(transaction, [...answering])
    await noteFailures(
      transaction,
      finished.filter((one) => one.outcome !== "interrupted" && !answering.has(one.claimed.endpointId)),
    )
  }

  /** Resolves to whether the claim was still held. */
  async function succeed(transaction: Db, { claimed, endedAtMs }: Finished): Promise<boolean> {
    const { deliveryId, kind } = claimed
    const held = await queries.drop(transaction, claimed)
    // What else is due of it, the automatic attempts beside a manual one, is no longer: the application has the message.
    if (!held || kind === "manual") await queries.dropAll(transaction, { deliveryId })
    await queries.move(transaction, {
      deliveryId,
      state: "delivered",
      used: kind === "automatic" ? 1 : 0,
      endedAtMs,
    })
    return held
  }

  /** Resolves to whether the claim was still held. */
  async function fail(transaction: Db, { claimed, outcome, endedAtMs }: Finished): Promise<boolean> {
    if (claimed.kind === "manual") return queries.drop(transaction, claimed)
    if (outcome === "interrupted") {
      // Nothing of the endpoint's doing: due again at once, and none of the 8 is used up.
      return queries.postpone(transaction, { ...claimed, dueAtMs: endedAtMs, late: claimed.late ? 1 : 0 })
    }
    const { deliveryId } = claimed
    const dueAtMs = nextDueMs(claimed.attemptsMade + 1, endedAtMs, random)
    const held =
      dueAtMs === undefined
        ? await queries.drop(transaction, claimed)
        : await queries.postpone(transaction, { ...claimed, dueAtMs, late: 1 })
    const moved =
      dueAtMs === undefined
        ? { deliveryId, state: "failed" as const, used: 1 as const, endedAtMs }
        : { deliveryId, state: "pending" as const, used: 1 as const, endedAtMs: null }
    if (held) await queries.move(transaction, moved)
    return held
  }
}

function isDelivered({ outcome }: Finished): boolean {
  return outcome === "delivered"
}

type Claim = Pick<Claimed, "deliveryId" | "kind" | "attemptId">

interface LoggedAttempt {
  deliveryId: string
  attemptId: string
  kind: AttemptKind
  at: number
  outcome: Outcome
  status: number | null
  durationMs: number
  responseExcerpt: string | null
}

function attemptOf({ claimed, startedAtMs, ...one }: Finished): LoggedAttempt {
  return { ...claimed, ...one, at: startedAtMs }
}

function recordQueries(db: Db) {
  const postpone = prepared<Claim & { dueAtMs: number; late: 0 | 1 }>((value) =>
    db
      .updateTable("due_attempt")
      .set({ due_at: value("dueAtMs"), late: value("late"), attempt_id: null, leased_until: null })
      .where("delivery_id", "=", value("deliveryId"))
      .where("kind", "=", value("kind"))
      .where("attempt_id", "=", value("attemptId"))
      .compile(),
  )
  const drop = prepared<Claim>((value) =>
    db
      .deleteFrom("due_attempt")
      .where("delivery_id", "=", value("deliveryId"))
      .where("kind", "=", value("kind"))
      .where("attempt_id", "=", value("attemptId"))
      .compile(),
  )
  return {
    log: preparedLog(db),
    logOfLost: preparedLogOfLost(db),
    async postpone(transaction: Db, values: Claim & { dueAtMs: number; late: 0 | 1 }): Promise<boolean> {
      return Boolean((await postpone(transaction, values)).numAffectedRows)
    },
    async drop(transaction: Db, values: Claim): Promise<boolean> {
      return Boolean((await drop(transaction, values)).numAffectedRows)
    },
    dropAll: prepared<{ deliveryId: string }>((value) =>
      db.deleteFrom("due_attempt").where("delivery_id", "=", value("deliveryId")).compile(),
    ),
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
  }
}

function preparedLog(db: Db) {
  return prepared<LoggedAttempt>((value) =>
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
  return prepared<LoggedAttempt>((value) =>
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
