import { sql } from "kysely"
import { preparedForEach } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { DeliveryState, Outcome } from "../../db/tables/webhooks.ts"
import { forgetFailures, noteFailures } from "../endpoints/failing.ts"
import type { Claimed } from "./claim.ts"
import { type Fate, fateOf } from "./fate.ts"
import { nextNumber } from "./next-number.ts"
import { automaticAttempts } from "./schedule.ts"

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

/** `breathe` is waited for now and then: whoever writes down hundreds of attempts leaves the event loop to others in between. */
export type Record = (
  transaction: Db,
  finished: readonly Finished[],
  breathe: () => Promise<void>,
) => Promise<void>

/**
 * SQLite takes a quarter of a millisecond to write so many: of twice as many, what came back meanwhile waited, and a drain took a
 * thirtieth longer.
 */
const portionSize = 50

/**
 * Writes down what came of attempts: the log, the state of the delivery and when it is tried next. Success counts whoever had it;
 * failure moves only a delivery that is still due since the time it was claimed for, since it may have been cancelled or taken over
 * meanwhile. Each statement runs for many attempts at once, which spares a fifth of a delivery's time.
 */
export function recorder(db: Db, random: () => number): Record {
  const queries = recordQueries(db)

  return async (transaction, finished, breathe) => {
    const delivered = finished.filter(isDelivered)
    const others = finished.filter((one) => !isDelivered(one))
    // Success comes last: it counts beside a failure of the same delivery too.
    const inOrder = [...others, ...delivered]
    for (let start = 0; start < inOrder.length; start += portionSize) {
      await write(
        transaction,
        inOrder.slice(start, start + portionSize).map((one) => fateOf(one, random)),
      )
      await breathe()
    }
    await countFailures(transaction, delivered, others)
  }

  async function write(transaction: Db, fates: readonly Fate[]): Promise<void> {
    const lost: Fate[] = []
    const held: Fate[] = []
    for (const kind of ["automatic", "manual"] as const) {
      const ended = fates.filter((fate) => fate.kind === kind)
      const changes = await queries[kind](transaction, ended)
      for (const [index, fate] of ended.entries()) (changes[index] === 1 ? held : lost).push(fate)
    }
    const settled = fates.filter(
      (fate) => isDelivered(fate) && (fate.kind === "manual" || lost.includes(fate)),
    )
    await queries.settle(transaction, settled)
    await queries.countLost(
      transaction,
      lost.filter((fate) => fate.used === 1 && !isDelivered(fate)),
    )
    await queries.log(transaction, held)
    await queries.logOfLost(transaction, lost)
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

function recordQueries(db: Db) {
  return {
    /** A resend that is due stays due, also once this delivered it. */
    automatic: preparedForEach<Fate>((value) =>
      db
        .updateTable("delivery")
        .set((row) => ({
          state: value("state") as DeliveryState,
          attempts_made: row("attempts_made", "+", value("used")),
          ended_at: value("overAtMs"),
          due_at: value("dueAtMs"),
          due_late: value("late"),
        }))
        .where("number", "=", value("deliveryNumber"))
        .where("due_at", "=", value("wasDueAtMs"))
        .compile(),
    ),
    manual: preparedForEach<Fate>((value) =>
      db
        .updateTable("delivery")
        .set({ resend_at: value("dueAtMs") })
        .where("number", "=", value("deliveryNumber"))
        .where("resend_at", "=", value("wasDueAtMs"))
        .compile(),
    ),
    /** The application has the message: whatever else is due of it is no longer. */
    settle: preparedForEach<Fate>((value) =>
      db
        .updateTable("delivery")
        .set((row) => ({
          state: "delivered",
          attempts_made: row("attempts_made", "+", value("used")),
          ended_at: value("overAtMs"),
          due_at: null,
          resend_at: null,
        }))
        .where("number", "=", value("deliveryNumber"))
        .compile(),
    ),
    /** Cancelled while it was in flight, it was made all the same. */
    countLost: preparedForEach<Fate>((value) =>
      db
        .updateTable("delivery")
        .set((row) => ({
          attempts_made: sql<number>`min(${row("attempts_made", "+", value("used"))}, ${sql.lit(automaticAttempts)})`,
        }))
        .where("number", "=", value("deliveryNumber"))
        .compile(),
    ),
    log: preparedLog(db),
    logOfLost: preparedLogOfLost(db),
  }
}

function preparedLog(db: Db) {
  return preparedForEach<Fate>((value) =>
    db
      .insertInto("attempt")
      .values({
        delivery_number: value("deliveryNumber"),
        number: nextNumber(value("deliveryNumber")),
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
 * When it is no longer due as it was claimed, the delivery may have been purged, or its payload erased: then what was answered, which
 * may repeat it, is not kept either.
 */
function preparedLogOfLost(db: Db) {
  return preparedForEach<Fate>((value) =>
    db
      .insertInto("attempt")
      .columns([
        "delivery_number",
        "number",
        "kind",
        "at",
        "outcome",
        "status",
        "duration_ms",
        "response_excerpt",
      ])
      .expression(
        db
          .selectFrom("delivery")
          .innerJoin("message", "message.id", "delivery.message_id")
          .select((row) => [
            "delivery.number as delivery_number",
            nextNumber(value("deliveryNumber")).as("number"),
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
          .where("delivery.number", "=", value("deliveryNumber")),
      )
      .compile(),
  )
}
