import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { prepared } from "../../../db/prepared.ts"
import {
  type ClaimStatements,
  type DeliveryRow,
  type DueColumns,
  type EndpointQueue,
  type EndpointQueuesQuery,
  largePayloadBytes,
} from "../claim.ts"

/**
 * Reads nothing but the index of due times. `candidate` leaps from endpoint to endpoint and round to the
 * first one again, however many deliveries wait for each. Each LIMIT is a SELECT of its own, since SQLite
 * prepares a statement anew for each run when its LIMIT is a parameter. The caller leaves out the held
 * deliveries: decision "claim ahead".
 */
function endpointQueues(db: Db, { dueAt, isLate }: DueColumns) {
  return prepared<EndpointQueuesQuery, EndpointQueue>((value) =>
    sql<EndpointQueue>`
      WITH RECURSIVE
        candidate (endpoint_id) AS NOT MATERIALIZED (
          SELECT coalesce(
            (SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} IS NOT NULL
              AND endpoint_id > ${value("after")}),
            (SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} IS NOT NULL))
          UNION SELECT coalesce(
            (SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} IS NOT NULL
              AND endpoint_id > candidate.endpoint_id),
            (SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} IS NOT NULL))
          FROM candidate),
        queue (endpoint_id) AS MATERIALIZED (
          SELECT endpoint_id FROM candidate
          WHERE instr(${value("full")}, endpoint_id) = 0 AND EXISTS (
            SELECT 1 FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} <= ${value("nowMs")}
              AND endpoint_id = candidate.endpoint_id)
          LIMIT (SELECT ${value("atMost")} + ${value("heldEndpoints")})),
        quota (size) AS MATERIALIZED (
          SELECT max(1, min(${value("perEndpoint")}, ${value("atMost")} / max(count(*), 1))) FROM queue)
      SELECT endpoint_id, size AS quota, (
        SELECT json_group_array(number) FROM (
          SELECT number FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} <= ${value("nowMs")}
            AND endpoint_id = queue.endpoint_id
          ORDER BY ${dueAt} LIMIT (SELECT size + ${value("heldOfOne")} FROM quota))) AS numbers
      FROM queue JOIN quota`.compile(db),
  )
}

function deliveries(db: Db, { dueAt }: DueColumns) {
  return prepared<{ numbers: string }, DeliveryRow>((value) =>
    sql<DeliveryRow>`
      SELECT delivery.number, delivery.message_id, delivery.${dueAt} AS due_at, delivery.attempts_made,
        CASE WHEN length(message.payload) <= ${sql.lit(largePayloadBytes)} THEN message.payload END AS payload
      FROM delivery
      JOIN message ON message.id = delivery.message_id
      WHERE delivery.number IN (SELECT value FROM json_each(${value("numbers")}))`.compile(db),
  )
}

export const claimStatements: ClaimStatements = { endpointQueues, deliveries }
