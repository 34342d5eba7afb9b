import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { prepared } from "../../../db/prepared.ts"
import type { RatePeriod } from "../../../db/tables/webhooks.ts"
import { type Engine, engineOf } from "../../../db/words.ts"
import { afterStart, firstWaiting, mayStart, mayStartAtMs, pacedBy } from "../../endpoints/pace.ts"

/** Deliveries released at a time where an endpoint has neither order nor rate any more. */
const releasedTogether = 500

export interface Released {
  /** Endpoints that were deleted or made inactive, by a process that died before it cancelled what waits. */
  ended: string[]
  /** When others may be released, unless something happens before. */
  nextAtMs: number | undefined
}

/**
 * Makes those deliveries due whose turn it is: of an endpoint in order the first one, once nothing else of it is due
 * or in flight; of an endpoint with a rate as many as may start. Only the process that claims does so, and only where
 * something waits. Reads one delivery of each endpoint that has any waiting, however many these are.
 */
export async function releaseWaiting(transaction: Db, nowMs: number): Promise<Released> {
  const released: Released = { ended: [], nextAtMs: undefined }
  const numbers: number[] = []
  const lookAgain = (atMs: number) => {
    released.nextAtMs = Math.min(released.nextAtMs ?? atMs, atMs)
  }
  const { rows } = await waitingEndpoints(transaction, {})
  for (const { endpoint_id: id, active, head, busy, free_at, ...row } of rows) {
    if (active !== 1 || row.in_order === null) {
      released.ended.push(id)
      continue
    }
    const { inOrder, rate } = pacedBy({ ...row, in_order: row.in_order })
    if (inOrder && Number(busy) === 1) continue
    const moment = { freeAtMs: free_at ?? 0, nowMs }
    const free = rate ? mayStart(rate, moment) : releasedTogether
    const count = inOrder ? Math.min(free, 1) : free
    if (rate) lookAgain(free === 0 ? mayStartAtMs(rate, moment) : afterStart(rate, moment, count))
    else if (!inOrder) lookAgain(nowMs)
    if (count === 1) numbers.push(Number(head))
    else if (count > 1) numbers.push(...(await firstWaiting(transaction, id, count)))
  }
  if (numbers.length > 0) await makeDue(transaction, numbers, nowMs)
  return released
}

/**
 * A replayed delivery is due at the time of its replay. Skips rows that another transaction is changing: that one may
 * be waiting for a row that this transaction has changed already.
 */
async function makeDue(transaction: Db, numbers: readonly number[], nowMs: number): Promise<void> {
  const dueAt = sql`CASE WHEN replayed_at >= waits_since THEN replayed_at ELSE ${sql.lit(nowMs)} END`
  await sql`
    UPDATE delivery SET
      due_at = CASE WHEN state = 'pending' THEN ${dueAt} ELSE due_at END,
      resend_is_late = CASE WHEN state = 'pending' OR resend_at IS NOT NULL THEN resend_is_late ELSE 1 END,
      resend_at = CASE WHEN state = 'pending' THEN resend_at ELSE coalesce(resend_at, ${dueAt}) END,
      waits_since = NULL
    WHERE waits_since IS NOT NULL AND number IN (${unlocked(transaction, numbers)})`.execute(transaction)
}

/** The given deliveries, without those that another transaction is changing. */
export function unlocked(transaction: Db, numbers: readonly number[]) {
  const these = sql`SELECT number FROM delivery WHERE number IN (${sql.join(numbers)})`
  return engineOf(transaction) === "sqlite" ? these : sql`${these} ORDER BY number FOR UPDATE SKIP LOCKED`
}

interface WaitingEndpoint {
  endpoint_id: string
  active: 0 | 1 | null
  in_order: 0 | 1 | null
  rate: number | null
  rate_per: RatePeriod | null
  free_at: number | null
  head: number
  /** Whether something of an endpoint in order is due, in flight, or waits to be retried. */
  busy: number
}

/** SQLite is told its indexes: it knows nothing of how few deliveries wait, and would read all of an endpoint. */
const rowsOf: Record<Engine, Record<"waiting" | "due" | "resent", ReturnType<typeof sql>>> = {
  sqlite: {
    waiting: sql`delivery INDEXED BY delivery_waiting`,
    due: sql`delivery INDEXED BY delivery_due`,
    resent: sql`delivery INDEXED BY delivery_resend`,
  },
  postgres: { waiting: sql`delivery`, due: sql`delivery`, resent: sql`delivery` },
}

/** Leaps from endpoint to endpoint, as the claim does. */
export const waitingEndpoints = prepared<object, WaitingEndpoint>((_, db) => {
  const { waiting, due, resent } = rowsOf[engineOf(db)]
  return sql<WaitingEndpoint>`
    WITH RECURSIVE candidate (endpoint_id) AS (
      SELECT (SELECT endpoint_id FROM ${waiting} WHERE waits_since IS NOT NULL ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT endpoint_id FROM ${waiting} WHERE waits_since IS NOT NULL
        AND endpoint_id > candidate.endpoint_id ORDER BY endpoint_id LIMIT 1)
      FROM candidate WHERE candidate.endpoint_id IS NOT NULL)
    SELECT candidate.endpoint_id, active, in_order, rate, rate_per, free_at,
      (SELECT number FROM ${waiting} WHERE waits_since IS NOT NULL AND endpoint_id = candidate.endpoint_id
        ORDER BY number LIMIT 1) AS head,
      CASE WHEN in_order = 1 AND (
        EXISTS (SELECT 1 FROM ${due} WHERE due_is_late IN (0, 1) AND endpoint_id = candidate.endpoint_id
          AND due_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM ${resent} WHERE resend_is_late IN (0, 1)
          AND endpoint_id = candidate.endpoint_id AND resend_at IS NOT NULL)) THEN 1 ELSE 0 END AS busy
    FROM candidate
    LEFT JOIN endpoint ON endpoint.id = candidate.endpoint_id
    LEFT JOIN endpoint_pace ON endpoint_pace.endpoint_id = candidate.endpoint_id
    WHERE candidate.endpoint_id IS NOT NULL`.compile(db)
})

export function somethingWaits(db: Db) {
  return sql`EXISTS (SELECT 1 FROM ${rowsOf[engineOf(db)].waiting} WHERE waits_since IS NOT NULL)`
}
