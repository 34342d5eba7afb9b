import { sql } from "kysely"
import { secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { prepared } from "../db/prepared.ts"
import type { AttemptKind } from "../db/tables/webhooks.ts"
import { newId } from "../ids.ts"

/**
 * How long a claim holds: the 10 seconds an attempt may take, and the time to write it down. A process that dies leaves its
 * claims to whoever looks next once that is over, so what it interrupted is tried again within 15 seconds of the next start.
 */
export const leaseMs = 12 * secondMs

/** An attempt in flight: claimed, to be sent now, then recorded. */
export interface Claimed {
  attemptId: string
  deliveryId: string
  kind: AttemptKind
  endpointId: string
  late: boolean
  messageId: string
  payload: Uint8Array
  attemptsMade: number
  claimedAtMs: number
}

/** How many more attempts may be in flight. */
export interface Room {
  total: number
  /** Of the total, those that are not first attempts. */
  late: number
  of(endpointId: string): number
  /** How many endpoints have no room left. */
  fullEndpoints: number
}

interface DueRow {
  delivery_id: string
  kind: AttemptKind
  due_at: number
  attempt_id: string | null
  message_id: string
  attempts_made: number
  payload: Uint8Array
}

export type Claim = (transaction: Db, room: Room, nowMs: number) => Promise<Claimed[]>

/**
 * Claims what is due: first attempts of all endpoints before late ones, endpoint by endpoint in turn. It costs as much as it
 * claims, whatever is stored or waits: endpoints are found by leaps in the index, and of each no more rows are read than it has room.
 */
export function claimer(db: Db): Claim {
  const queries = claimQueries(db)
  let lastServed = ""

  return async (transaction, room, nowMs) => {
    const claimed: Claimed[] = []
    const taken = new Map<string, number>()
    for (const late of [0, 1] as const) {
      let left = Math.min(room.total - claimed.length, late ? room.late : room.total)
      for (const endpointId of await endpointsWithDue(transaction, late, room, nowMs)) {
        const here = taken.get(endpointId) ?? 0
        const limit = Math.min(left, room.of(endpointId) - here)
        if (limit <= 0) continue
        const { rows } = await queries.due(transaction, { late, endpointId, nowMs, atMost: limit })
        for (const row of rows) claimed.push(await claim(transaction, row, endpointId, late === 1, nowMs))
        taken.set(endpointId, here + rows.length)
        left -= rows.length
        lastServed = endpointId
      }
    }
    return claimed
  }

  /** Beginning after the endpoint served last, so that none is always last. */
  async function endpointsWithDue(transaction: Db, late: 0 | 1, room: Room, nowMs: number) {
    const found: string[] = []
    const atMost = room.total + room.fullEndpoints
    for (const [after, upTo] of [
      [lastServed, "~"],
      ["", lastServed],
    ] as const) {
      const left = atMost - found.length
      if (left <= 0 || upTo === "") break
      const { rows } = await queries.endpoints(transaction, { late, after, upTo, nowMs, atMost: left })
      for (const row of rows) found.push(row.endpoint_id)
    }
    return found
  }

  async function claim(
    transaction: Db,
    row: DueRow,
    endpointId: string,
    late: boolean,
    nowMs: number,
  ): Promise<Claimed> {
    if (row.attempt_id !== null) await recordInterrupted(transaction, row, row.attempt_id, nowMs)
    const attemptId = newId("att", nowMs)
    const leasedUntilMs = nowMs + leaseMs
    await queries.claim(transaction, {
      attemptId,
      leasedUntilMs,
      deliveryId: row.delivery_id,
      kind: row.kind,
    })
    return {
      attemptId,
      deliveryId: row.delivery_id,
      kind: row.kind,
      endpointId,
      late,
      messageId: row.message_id,
      payload: row.payload,
      attemptsMade: row.attempts_made,
      claimedAtMs: nowMs,
    }
  }
}

/** Its process ended before it could tell what came of it. It does not use up one of the 8. */
async function recordInterrupted(transaction: Db, row: DueRow, attemptId: string, nowMs: number) {
  await transaction
    .insertInto("attempt")
    .values({
      delivery_id: row.delivery_id,
      id: attemptId,
      kind: row.kind,
      at: Math.min(row.due_at - leaseMs, nowMs),
      outcome: "interrupted",
      status: null,
      duration_ms: null,
      response_excerpt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Keeps what is in flight from being taken for interrupted. */
export async function renewLeases(transaction: Db, claims: readonly Claimed[], nowMs: number): Promise<void> {
  for (const { deliveryId, kind, attemptId } of claims) {
    await transaction
      .updateTable("due_attempt")
      .set({ due_at: nowMs + leaseMs })
      .where("delivery_id", "=", deliveryId)
      .where("kind", "=", kind)
      .where("attempt_id", "=", attemptId)
      .execute()
  }
}

function claimQueries(db: Db) {
  return {
    endpoints: prepared<
      { late: 0 | 1; after: string; upTo: string; nowMs: number; atMost: number },
      { endpoint_id: string }
    >((value) =>
      sql<{ endpoint_id: string }>`
        WITH RECURSIVE lane (endpoint_id) AS (
          SELECT min(endpoint_id) FROM due_attempt WHERE late = ${value("late")} AND endpoint_id > ${value("after")}
          UNION ALL
          SELECT (SELECT min(endpoint_id) FROM due_attempt
            WHERE late = ${value("late")} AND endpoint_id > lane.endpoint_id)
          FROM lane WHERE endpoint_id IS NOT NULL
        )
        SELECT endpoint_id FROM lane
        WHERE endpoint_id <= ${value("upTo")} AND EXISTS (SELECT 1 FROM due_attempt
          WHERE late = ${value("late")} AND endpoint_id = lane.endpoint_id AND due_at <= ${value("nowMs")})
        LIMIT ${value("atMost")}`.compile(db),
    ),
    due: prepared<{ late: 0 | 1; endpointId: string; nowMs: number; atMost: number }, DueRow>((value) =>
      db
        .selectFrom("due_attempt")
        .innerJoin("delivery", "delivery.id", "due_attempt.delivery_id")
        .innerJoin("message", "message.id", "delivery.message_id")
        .select([
          "due_attempt.delivery_id",
          "due_attempt.kind",
          "due_attempt.due_at",
          "due_attempt.attempt_id",
        ])
        .select(["delivery.message_id", "delivery.attempts_made"])
        .select((row) => row.ref("message.payload").$notNull().as("payload"))
        .where("due_attempt.late", "=", value("late"))
        .where("due_attempt.endpoint_id", "=", value("endpointId"))
        .where("due_attempt.due_at", "<=", value("nowMs"))
        .orderBy("due_attempt.due_at")
        .limit(value("atMost"))
        .compile(),
    ),
    claim: prepared<{ attemptId: string; leasedUntilMs: number; deliveryId: string; kind: AttemptKind }>(
      (value) =>
        db
          .updateTable("due_attempt")
          .set({ attempt_id: value("attemptId"), due_at: value("leasedUntilMs") })
          .where("delivery_id", "=", value("deliveryId"))
          .where("kind", "=", value("kind"))
          .compile(),
    ),
  }
}
