import { type RawBuilder, sql } from "kysely"
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
 * Reads nothing but the index of due times. `candidate` leaps from endpoint to endpoint and round to the first
 * one again, however many deliveries wait for each, and only as far as the LIMIT of `queue` asks. The caller
 * leaves out the held deliveries: decision "claim ahead".
 *
 * PostgreSQL often knows nothing of what is due: its statistics are from a moment when nothing was. A LIMIT leaps
 * all the same, where min() reads everything due; and the scalar subquery in `queue` is asked once an endpoint, where
 * EXISTS becomes a join of everything due with every endpoint.
 */
function endpointQueues(db: Db, { dueAt, isLate }: DueColumns) {
  return prepared<EndpointQueuesQuery, EndpointQueue>((value) => {
    const firstAfter = (after: RawBuilder<unknown>) => sql`
      (SELECT endpoint_id FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} IS NOT NULL
        AND endpoint_id > ${after} ORDER BY endpoint_id LIMIT 1)`
    const nextAfter = (after: RawBuilder<unknown>) =>
      sql`coalesce(${firstAfter(after)}, ${firstAfter(sql`''`)})`
    return sql<EndpointQueue>`
      WITH RECURSIVE
        candidate (endpoint_id) AS (
          SELECT ${nextAfter(sql`${value("after")}`)}
          UNION SELECT ${nextAfter(sql`candidate.endpoint_id`)} FROM candidate),
        queue (endpoint_id) AS MATERIALIZED (
          SELECT endpoint_id FROM candidate
          WHERE strpos(${value("full")}, endpoint_id) = 0 AND coalesce((
            SELECT true FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} <= ${value("nowMs")}
              AND endpoint_id = candidate.endpoint_id LIMIT 1), false)
          LIMIT ${value("atMost")}::bigint + ${value("heldEndpoints")}::bigint),
        quota (size) AS MATERIALIZED (
          SELECT greatest(1, least(${value("perEndpoint")}::bigint, ${value("atMost")}::bigint / greatest(count(*), 1)))
          FROM queue)
      SELECT endpoint_id, size AS quota, (
        SELECT coalesce(json_agg(number), '[]')::text FROM (
          SELECT number FROM delivery WHERE ${isLate} = ${value("late")} AND ${dueAt} <= ${value("nowMs")}
            AND endpoint_id = queue.endpoint_id
          ORDER BY ${dueAt} LIMIT (SELECT size + ${value("heldOfOne")}::bigint FROM quota)) due) AS numbers
      FROM queue CROSS JOIN quota`.compile(db)
  })
}

function deliveries(db: Db, { dueAt }: DueColumns) {
  return prepared<{ numbers: string }, DeliveryRow>((value) =>
    sql<DeliveryRow>`
      SELECT delivery.number, delivery.message_id, delivery.${dueAt} AS due_at, delivery.attempts_made,
        CASE WHEN length(message.payload) <= ${sql.lit(largePayloadBytes)} THEN message.payload END AS payload
      FROM json_array_elements_text((${value("numbers")}::text)::json) wanted
      JOIN delivery ON delivery.number = wanted::bigint
      JOIN message ON message.id = delivery.message_id`.compile(db),
  )
}

export const claimStatements: ClaimStatements = { endpointQueues, deliveries }
