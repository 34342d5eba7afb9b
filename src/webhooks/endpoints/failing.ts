import type { ExpressionBuilder } from "kysely"
import { dayMs, isoTime } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import type { Row, Schema } from "../../db/schema.ts"
import { changeRows } from "../../db/store.ts"
import type { Outcome } from "../../db/tables/webhooks.ts"
import { lockingRows } from "../../db/words.ts"
import type { FailureCause } from "../../outbound/failure.ts"

/** An endpoint is flagged once every attempt has failed for 24 hours. Only its owner may disable it. */
export const flaggedAfterMs = dayMs

/**
 * The first and the last failure must lie 12 hours apart, a time that the attempts of a single delivery span.
 * A lone failure of yesterday says nothing about today.
 */
function isFlaggedAt(nowMs: number) {
  return (row: ExpressionBuilder<Schema, "endpoint_failure">) =>
    row.and([
      row("first_at", "<=", nowMs - flaggedAfterMs),
      row(row("last_at", "-", row.ref("first_at")), ">=", flaggedAfterMs / 2),
    ])
}

/** A flagged endpoint, with the result of its last attempt. */
export interface Failing {
  endpointId: string
  sinceMs: number
  lastAtMs: number
  outcome: Outcome
  status: number | null
  cause: FailureCause | null
}

/** For the log and the API: `gone` for 410, any other HTTP status as it is, the outcome without an answer. */
export function lastAnswer({ outcome, status }: Failing): string {
  if (status === 410) return "gone"
  return status === null ? outcome : String(status)
}

/** Those of these endpoints that are flagged, by endpoint id. */
export async function failingEndpoints(
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

/** Those of these endpoints at which every attempt fails, however shortly, by endpoint id. */
export async function failuresByEndpoint(
  db: Db,
  endpointIds: readonly string[],
): Promise<Map<string, Failing>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("endpoint_failure")
    .selectAll()
    .where("endpoint_id", "in", endpointIds)
    .execute()
  return new Map(rows.map((row) => [row.endpoint_id, failing(row)]))
}

/**
 * Takes the flagged endpoints whose owner was never notified, or was notified a day ago or more and whose
 * attempts have failed again since. They are marked as notified at once, so that two processes do not both
 * notify.
 */
export async function takeUnnotified(transaction: Db, nowMs: number): Promise<Failing[]> {
  const rows = await transaction
    .selectFrom("endpoint_failure")
    .selectAll()
    .where(isFlaggedAt(nowMs))
    .where((row) =>
      row.or([
        row("notified_at", "is", null),
        row.and([row("notified_at", "<=", nowMs - dayMs), row("last_at", ">", row.ref("notified_at"))]),
      ]),
    )
    // In the order of the deliveries' results, so that they do not wait for each other.
    .orderBy("endpoint_id")
    .$call(lockingRows(transaction))
    .execute()
  const taken = rows.map(failing)
  if (taken.length === 0) return []
  const these = { endpoint_id: taken.map(({ endpointId }) => endpointId) }
  await changeRows(transaction, "endpoint_failure", these, { notified_at: nowMs })
  return taken
}

/** Starts the count of failures anew: the endpoint answered, or its owner changed it. */
export async function forgetFailures(transaction: Db, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return
  await transaction.deleteFrom("endpoint_failure").where("endpoint_id", "in", endpointIds).execute()
}

function failing(row: Row<"endpoint_failure">): Failing {
  return {
    endpointId: row.endpoint_id,
    sinceMs: row.first_at,
    lastAtMs: row.last_at,
    outcome: row.outcome,
    status: row.status,
    cause: row.cause,
  }
}

export type FailingEndpoint = Failing & { url: string; description: string }

/** Notifies the owners of a workspace by other means than the log. */
export type Notify = (workspaceId: string, failing: readonly FailingEndpoint[]) => Promise<void>

/**
 * Notifies the owners of flagged endpoints, at most once a day for each endpoint. The endpoints of a
 * workspace share one notification, since they often stand on one machine. `store` adds to the transaction in which
 * they are marked as notified.
 */
export async function notifyFailing(
  db: Db,
  log: Log,
  notify: Notify,
  nowMs: number,
  store: (transaction: Db, workspaceId: string, failing: FailingEndpoint) => Promise<void> = async () => {},
): Promise<void> {
  const { unnotified, workspaces } = await db.transaction().execute(async (transaction) => {
    const unnotified = await takeUnnotified(transaction, nowMs)
    const workspaces = await byWorkspace(transaction, unnotified)
    for (const [workspaceId, failing] of workspaces)
      for (const each of failing) await store(transaction, workspaceId, each)
    return { unnotified, workspaces }
  })
  for (const failing of unnotified)
    log.warn("every attempt at an endpoint fails", {
      endpoint: failing.endpointId,
      since: isoTime(failing.sinceMs),
      answer: lastAnswer(failing),
      ...(failing.cause && { cause: failing.cause }),
    })
  // A workspace that cannot be notified does not hold up the others.
  for (const [workspaceId, failing] of workspaces)
    await notify(workspaceId, failing).catch((error) =>
      log.error("owners could not be told", { workspace: workspaceId, error }),
    )
}

async function byWorkspace(db: Db, failing: readonly Failing[]): Promise<Map<string, FailingEndpoint[]>> {
  if (failing.length === 0) return new Map()
  const ids = failing.map(({ endpointId }) => endpointId)
  const endpoints = await db
    .selectFrom("endpoint")
    .select(["id", "url", "description", "workspace_id"])
    .where("id", "in", ids)
    .execute()
  const byWorkspace = new Map<string, FailingEndpoint[]>()
  for (const { id, workspace_id, ...known } of endpoints) {
    const one = failing.find(({ endpointId }) => endpointId === id) as Failing
    byWorkspace.getOrInsert(workspace_id, []).push({ ...one, ...known })
  }
  return byWorkspace
}
