import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { prepared, preparedAhead } from "../../../db/prepared.ts"
import { automaticAttempts } from "../../messages/retry-schedule.ts"
import { isDelivered, type ResultRow, resultRow, stillUndelivered } from "../complete.ts"
import { openFailureCount } from "../counts/failure-count.ts"
import { openHourCounts } from "../counts/hour-count.ts"
import type { AttemptResult, Complete } from "../queue.ts"

/** As the complete of SQLite does it, with a statement for all results of one kind instead of one for each. */
export function openComplete(db: Db, random: () => number): Complete {
  const statements = prepareStatements(db)
  const countFailures = openFailureCount(db)

  return async (transaction, results) => {
    if (results.length === 0) return []
    const rows = inOrder(results).map((result, position) => ({ ...resultRow(result, random), position }))
    const changedPositions = new Set<number>()
    // An UPDATE locks in the order of its plan: a cancellation at the same moment could wait for it, and it for that.
    await statements.lock(transaction, { rows: JSON.stringify(rows) })
    for (const kind of ["automatic", "manual"] as const) {
      const ended = rows.filter((row) => row.kind === kind)
      if (ended.length === 0) continue
      const changed = await statements[kind](transaction, { rows: JSON.stringify(ended) })
      for (const { position } of changed.rows) changedPositions.add(position)
    }
    const lost = await withoutLogged(
      transaction,
      rows.filter(({ position }) => !changedPositions.has(position)),
    )
    const manualSuccesses = rows.filter(
      (row) => changedPositions.has(row.position) && row.kind === "manual" && isDelivered(row),
    )
    const run = (statement: (typeof statements)["log"], some: readonly PlacedRow[]) =>
      some.length > 0 ? statement(transaction, { rows: JSON.stringify(some) }) : undefined
    // The row locks keep what the next statements read until the end of the transaction.
    await run(statements.lockLost, lost)
    const settled = [...manualSuccesses, ...lost.filter(isDelivered)]
    const counts = openHourCounts()
    counts.addSettled(settled, await stillUndelivered(transaction, settled))
    const keptRows = rows.filter(({ position }) => changedPositions.has(position))
    counts.addKept(keptRows)
    counts.addFailed([...keptRows, ...lost])
    await run(statements.settle, settled)
    await run(
      statements.countLost,
      lost.filter((row) => row.used === 1 && !isDelivered(row)),
    )
    await run(statements.log, keptRows)
    await run(statements.logLost, lost)
    await countFailures(transaction, results)
    return counts.all()
  }
}

/**
 * The server may have committed results although the connection was lost before it said so: what is given again is
 * logged and counted already.
 */
async function withoutLogged(transaction: Db, lost: readonly PlacedRow[]): Promise<readonly PlacedRow[]> {
  if (lost.length === 0) return lost
  const logged = await transaction
    .selectFrom("attempt")
    .select(["delivery_number", "kind", "at", "outcome"])
    .where(
      "delivery_number",
      "in",
      lost.map(({ deliveryNumber }) => deliveryNumber),
    )
    .execute()
  const loggedAttempts = new Set(
    logged.map((row) => [row.delivery_number, row.kind, row.at, row.outcome].join(" ")),
  )
  return lost.filter(
    (row) => !loggedAttempts.has([row.deliveryNumber, row.kind, row.startedAtMs, row.outcome].join(" ")),
  )
}

/** In the order of `lockDeliveries`; of one delivery, a success comes last and wins. */
function inOrder(results: readonly AttemptResult[]): AttemptResult[] {
  return results.toSorted(
    (one, other) =>
      one.claim.deliveryNumber - other.claim.deliveryNumber ||
      Number(isDelivered(one)) - Number(isDelivered(other)),
  )
}

type PlacedRow = ResultRow & { position: number }
type Text = (result: ReturnType<typeof results>) => ReturnType<typeof sql>

function prepareStatements(db: Db) {
  const changing = (text: Text) =>
    prepared<{ rows: string }, { position: number }>((value) =>
      sql<{ position: number }>`${text(results(value("rows")))}`.compile(db),
    )
  const statement = (text: Text) =>
    preparedAhead<{ rows: string }>((value) => text(results(value("rows"))).compile(db))
  return {
    /** As `lockDeliveries` does, without a round trip. */
    lock: statement(
      (result) => sql`
      SELECT 1 AS position FROM delivery WHERE number IN (SELECT "deliveryNumber" FROM ${result})
      ORDER BY number FOR NO KEY UPDATE`,
    ),
    /** A manual attempt that is due stays due, even after a success. */
    automatic: changing(
      (result) => sql`
      UPDATE delivery SET state = result.state, attempts_made = attempts_made + result.used,
        ended_at = result."endedAtMs", due_at = result."dueAtMs", due_is_late = result.late, ${lastAttempt}
      FROM ${result} WHERE number = result."deliveryNumber" AND due_at = result."wasDueAtMs"
      RETURNING result.position`,
    ),
    manual: changing(
      (result) => sql`
      UPDATE delivery SET resend_at = result."dueAtMs", ${lastAttempt}
      FROM ${result} WHERE number = result."deliveryNumber" AND resend_at = result."wasDueAtMs"
      RETURNING result.position`,
    ),
    /** An erasure that is under way is waited for. */
    lockLost: statement(
      (result) => sql`
      SELECT 1 AS position FROM delivery JOIN message ON message.id = delivery.message_id
      WHERE number IN (SELECT "deliveryNumber" FROM ${result})
      ORDER BY number FOR NO KEY UPDATE OF delivery FOR SHARE OF message`,
    ),
    /** The application has the message: nothing else of the delivery is due any more. */
    settle: statement(
      (result) => sql`
      UPDATE delivery SET state = 'delivered', attempts_made = attempts_made + result.used,
        ended_at = result."endedAtMs", due_at = NULL, resend_at = NULL, waits_since = NULL,
        ${lastAttempt}
      FROM ${result} WHERE number = result."deliveryNumber"`,
    ),
    /** The delivery was cancelled while the attempt was in flight: the attempt counts all the same. */
    countLost: statement(
      (result) => sql`
      UPDATE delivery SET attempts_made = least(attempts_made + result.used, ${sql.lit(automaticAttempts)}), ${lastAttempt}
      FROM ${result} WHERE number = result."deliveryNumber"`,
    ),
    log: statement(
      (result) => sql`
      INSERT INTO attempt (${columns}) SELECT "deliveryNumber", ${nextNumber}, kind, "startedAtMs", outcome, status,
        "durationMs", "responseExcerpt", "responseHeaders", cause, address
      FROM ${result}`,
    ),
    /**
     * The delivery of a lost claim may have been purged: then nothing is logged. Its payload may have been erased:
     * then the excerpt and the headers, which may repeat it, are dropped.
     */
    logLost: statement(
      (result) => sql`
      INSERT INTO attempt (${columns}) SELECT "deliveryNumber", ${nextNumber}, kind, "startedAtMs", outcome, status,
        "durationMs", CASE WHEN message.payload IS NOT NULL THEN "responseExcerpt" END,
        CASE WHEN message.payload IS NOT NULL THEN "responseHeaders" END, result.cause, result.address
      FROM ${result}
      JOIN delivery ON delivery.number = "deliveryNumber" JOIN message ON message.id = delivery.message_id`,
    ),
  }
}

const columns = sql.raw(
  "delivery_number, number, kind, at, outcome, status, duration_ms, response_excerpt, response_headers, cause, address",
)

const lastAttempt = sql.raw(
  'last_outcome = result.outcome, last_status = result.status, last_duration_ms = result."durationMs", last_cause = result.cause',
)

/** Attempts of a delivery are numbered from 1, in the order in which they ended. */
const nextNumber = sql.raw(`
  (SELECT coalesce(max(number), 0) FROM attempt WHERE delivery_number = "deliveryNumber")
    + row_number() OVER (PARTITION BY "deliveryNumber" ORDER BY position)`)

/** The results as rows. A JSON value that is given as one would be encoded twice: it goes as a text. */
function results(rows: string) {
  return sql`
    json_to_recordset((${rows}::text)::json) AS result (
      position bigint, "deliveryNumber" bigint, kind text, "wasDueAtMs" bigint, state text, "dueAtMs" bigint,
      late bigint, "endedAtMs" bigint, used bigint, "startedAtMs" bigint, outcome text, status bigint,
      "durationMs" bigint, "responseExcerpt" text, "responseHeaders" text, cause text, address text)`
}
