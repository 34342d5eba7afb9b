import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { preparedForEach } from "../../../db/prepared.ts"
import type { DeliveryState } from "../../../db/tables/webhooks.ts"
import { automaticAttempts } from "../../messages/retry-schedule.ts"
import { isDelivered, type ResultRow, resultRow, stillUndelivered } from "../complete.ts"
import { openFailureCount } from "../counts/failure-count.ts"
import { type HourCounts, openHourCounts } from "../counts/hour-count.ts"
import type { Complete } from "../queue.ts"
import { logLostStatement, logStatement } from "./attempt-log.ts"

/** Results written before the event loop runs again: decision "grouped commits". */
const portion = 50

/** `random` gives 0 to 1, for the jitter of the retry schedule. */
export function openComplete(db: Db, random: () => number): Complete {
  const statements = {
    automatic: automaticStatement(db),
    manual: manualStatement(db),
    settle: settleStatement(db),
    countLost: countLostStatement(db),
    log: logStatement(db),
    logLost: logLostStatement(db),
  }
  const countFailures = openFailureCount(db)

  async function write(transaction: Db, rows: readonly ResultRow[], counts: HourCounts): Promise<void> {
    const changedRows: ResultRow[] = []
    const lost: ResultRow[] = []
    for (const kind of ["automatic", "manual"] as const) {
      const ended = rows.filter((row) => row.kind === kind)
      const changes = await statements[kind](transaction, ended)
      for (const [index, row] of ended.entries()) (changes[index] === 1 ? changedRows : lost).push(row)
    }
    const lostSuccesses = lost.filter(isDelivered)
    const manualSuccesses = changedRows.filter((row) => row.kind === "manual" && isDelivered(row))
    const settled = [...manualSuccesses, ...lostSuccesses]
    counts.addSettled(settled, await stillUndelivered(transaction, settled))
    counts.addKept(changedRows)
    counts.addFailed(rows)
    await statements.settle(transaction, settled)
    const lostFailures = lost.filter((row) => row.used === 1 && !isDelivered(row))
    await statements.countLost(transaction, lostFailures)
    await statements.log(transaction, changedRows)
    await statements.logLost(transaction, lost)
  }

  return async (transaction, results) => {
    // A success comes after a failure of the same delivery, and wins.
    const counts = openHourCounts()
    const inOrder = [...results.filter((result) => !isDelivered(result)), ...results.filter(isDelivered)]
    for (let start = 0; start < inOrder.length; start += portion) {
      const rows = inOrder.slice(start, start + portion).map((result) => resultRow(result, random))
      await write(transaction, rows, counts)
      await yieldToEventLoop()
    }
    await countFailures(transaction, results)
    return counts.all()
  }
}

/** A manual attempt that is due stays due, even after a success. */
function automaticStatement(db: Db) {
  return preparedForEach<ResultRow>((value) =>
    db
      .updateTable("delivery")
      .set((row) => ({
        state: value("state") as DeliveryState,
        attempts_made: row("attempts_made", "+", value("used")),
        ended_at: value("endedAtMs"),
        due_at: value("dueAtMs"),
        due_is_late: value("late"),
        ...lastAttempt(value),
      }))
      .where("number", "=", value("deliveryNumber"))
      .where("due_at", "=", value("wasDueAtMs"))
      .compile(),
  )
}

function manualStatement(db: Db) {
  return preparedForEach<ResultRow>((value) =>
    db
      .updateTable("delivery")
      .set({ resend_at: value("dueAtMs"), ...lastAttempt(value) })
      .where("number", "=", value("deliveryNumber"))
      .where("resend_at", "=", value("wasDueAtMs"))
      .compile(),
  )
}

/** The application has the message: nothing else of the delivery is due any more. */
function settleStatement(db: Db) {
  return preparedForEach<ResultRow>((value) =>
    db
      .updateTable("delivery")
      .set((row) => ({
        state: "delivered",
        attempts_made: row("attempts_made", "+", value("used")),
        ended_at: value("endedAtMs"),
        due_at: null,
        resend_at: null,
        waits_since: null,
        ...lastAttempt(value),
      }))
      .where("number", "=", value("deliveryNumber"))
      .compile(),
  )
}

/** The delivery was cancelled while the attempt was in flight: the attempt counts all the same. */
function countLostStatement(db: Db) {
  return preparedForEach<ResultRow>((value) =>
    db
      .updateTable("delivery")
      .set((row) => ({
        attempts_made: sql<number>`min(${row("attempts_made", "+", value("used"))}, ${sql.lit(automaticAttempts)})`,
        ...lastAttempt(value),
      }))
      .where("number", "=", value("deliveryNumber"))
      .compile(),
  )
}

function lastAttempt(value: <Name extends keyof ResultRow>(name: Name) => ResultRow[Name]) {
  return {
    last_outcome: value("outcome"),
    last_status: value("status"),
    last_duration_ms: value("durationMs"),
    last_cause: value("cause"),
  }
}
