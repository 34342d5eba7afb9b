import type { ExpressionBuilder } from "kysely"
import { dayMs } from "../../base/clock.ts"
import type { Schema } from "../../db/schema.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Outcome } from "../../db/tables/webhooks.ts"

/**
 * An endpoint whose every attempt failed for this long is flagged. Nothing disables it: that is its owner's
 * decision.
 */
export const flaggedAfterMs = dayMs

/**
 * It goes on failing: attempts lie half of that time apart, as those of one delivery do. One that failed
 * alone says nothing of today.
 */
function isFlaggedAt(nowMs: number) {
  return (row: ExpressionBuilder<Schema, "endpoint_failure">) =>
    row.and([
      row("first_at", "<=", nowMs - flaggedAfterMs),
      row(row("last_at", "-", row.ref("first_at")), ">=", flaggedAfterMs / 2),
    ])
}

/** What an endpoint that keeps failing answers. */
export interface Failing {
  endpointId: string
  sinceMs: number
  lastAtMs: number
  outcome: Outcome
  status: number | null
}

/**
 * What the log and the API say that it answers: `gone` for 410, another status as it is, the outcome when
 * there was no answer.
 */
export function answerOf({ outcome, status }: Failing): string {
  if (status === 410) return "gone"
  return status === null ? outcome : String(status)
}

/** The flag of each of these endpoints that has one. */
export async function failingOf(
  db: Db,
  endpointIds: readonly string[],
  nowMs: number,
): Promise<Map<string, Failing>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("endpoint_failure")
    .selectAll()
    .where("endpoint_id", "in", endpointIds)
    .where(isFlaggedAt(nowMs))
    .execute()
  return new Map(rows.map((row) => [row.endpoint_id, failing(row)]))
}

/**
 * Those whose owner is to be told now: flagged, tried in vain since the owner was last told, and that is a
 * day ago. They are taken as told, so that two processes do not both tell.
 */
export async function takeUntold(transaction: Db, nowMs: number): Promise<Failing[]> {
  const rows = await transaction
    .updateTable("endpoint_failure")
    .set({ told_at: nowMs })
    .where(isFlaggedAt(nowMs))
    .where((row) =>
      row.or([
        row("told_at", "is", null),
        row.and([row("told_at", "<=", nowMs - dayMs), row("last_at", ">", row.ref("told_at"))]),
      ]),
    )
    .returningAll()
    .execute()
  return rows.map(failing)
}

/** Begins anew: the endpoint answered, or its owner changed it. */
export async function forgetFailures(transaction: Db, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return
  await transaction.deleteFrom("endpoint_failure").where("endpoint_id", "in", endpointIds).execute()
}

function failing(row: {
  endpoint_id: string
  first_at: number
  last_at: number
  outcome: Outcome
  status: number | null
}): Failing {
  return {
    endpointId: row.endpoint_id,
    sinceMs: row.first_at,
    lastAtMs: row.last_at,
    outcome: row.outcome,
    status: row.status,
  }
}
