import type { Db } from "../../../db/connection.ts"
import { preparedAhead, preparedForEach } from "../../../db/prepared.ts"
import type { Outcome } from "../../../db/tables/webhooks.ts"
import { eachOf, engineOf } from "../../../db/words.ts"
import type { FailureCause } from "../../../outbound/failure.ts"
import type { AttemptResult } from "../queue.ts"

/**
 * Keeps a row for each endpoint whose attempts all fail: since when, and the outcome of the last one.
 * `endpoints/failing` tells the owner. A success deletes the row. An interrupted attempt changes nothing.
 */
export function openFailureCount(db: Db) {
  const forget = forgetStatement(db)
  const note = noteStatement(db)

  return async (transaction: Db, results: readonly AttemptResult[]): Promise<void> => {
    const succeeded = new Set<string>()
    const lastFailures = new Map<string, Failure>()
    for (const { claim, endedAtMs, outcome, status, cause } of results) {
      const { endpointId } = claim
      if (outcome === "delivered") succeeded.add(endpointId)
      else if (outcome !== "interrupted")
        lastFailures.set(endpointId, { endpointId, endedAtMs, outcome, status, cause })
    }
    for (const endpointId of succeeded) lastFailures.delete(endpointId)
    // A row that one process deletes and another one changes: both take all of theirs in one order first.
    if (succeeded.size > 0 && lastFailures.size > 0)
      await lockFailures(transaction, [...succeeded, ...lastFailures.keys()])
    if (succeeded.size > 0) await forget(transaction, { endpointIds: JSON.stringify([...succeeded]) })
    // In one order everywhere, so that no two nodes wait for each other.
    const failures = [...lastFailures.values()].sort((one, other) =>
      one.endpointId < other.endpointId ? -1 : 1,
    )
    await note(transaction, failures)
  }
}

interface Failure {
  endpointId: string
  endedAtMs: number
  outcome: Outcome
  status: number | null
  cause: FailureCause | null
}

async function lockFailures(transaction: Db, endpointIds: readonly string[]): Promise<void> {
  if (engineOf(transaction) === "sqlite") return
  await transaction
    .selectFrom("endpoint_failure")
    .select("endpoint_id")
    .where("endpoint_id", "in", endpointIds)
    .orderBy("endpoint_id")
    .forUpdate()
    .execute()
}

function forgetStatement(db: Db) {
  return preparedAhead<{ endpointIds: string }>((value) =>
    db
      .deleteFrom("endpoint_failure")
      .where("endpoint_id", "in", eachOf(db, value("endpointIds")))
      .compile(),
  )
}

/** Inserts nothing for an endpoint that was deleted or made inactive, nor for a test receiver that is to fail. */
function noteStatement(db: Db) {
  return preparedForEach<Failure>((value) =>
    db
      .insertInto("endpoint_failure")
      .columns(["endpoint_id", "first_at", "last_at", "outcome", "status", "cause"])
      .expression((query) =>
        query
          .selectFrom("endpoint")
          .select(({ val }) => [
            "id",
            val(value("endedAtMs")).as("first_at"),
            val(value("endedAtMs")).as("last_at"),
            val(value("outcome")).as("outcome"),
            val(value("status")).as("status"),
            val(value("cause")).as("cause"),
          ])
          .where("id", "=", value("endpointId"))
          .where("active", "=", 1)
          .where("kind", "!=", "test"),
      )
      .onConflict((conflict) =>
        conflict.column("endpoint_id").doUpdateSet({
          last_at: value("endedAtMs"),
          outcome: value("outcome"),
          status: value("status"),
          cause: value("cause"),
        }),
      )
      .compile(),
  )
}
