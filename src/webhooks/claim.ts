import { sql } from "kysely"
import { secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { prepared } from "../db/prepared.ts"
import type { AttemptKind } from "../db/tables/webhooks.ts"
import { newId } from "../ids.ts"

/**
 * How long a claim holds: the 10 seconds an attempt may take, and the time to wait for a place and to write it down. A process that dies leaves its
 * claims to whoever looks next once that is over, so what it interrupted is tried again within 15 seconds of the next start.
 */
export const leaseMs = 13 * secondMs

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
  /** Endpoints that have none left. */
  full: readonly string[]
}

interface DueRow {
  delivery_id: string
  kind: AttemptKind
  endpoint_id: string
  attempt_id: string | null
  leased_until: number | null
  message_id: string
  attempts_made: number
  payload: Uint8Array
}

export type Claim = (transaction: Db, room: Room, nowMs: number) => Promise<Claimed[]>

/**
 * Claims what is due: first attempts of all endpoints before late ones, and of each endpoint in turn the one that is due longest.
 * It costs as much as it claims, whatever is stored or waits: endpoints are found by leaps in the index.
 */
export function claimer(db: Db): Claim {
  const queries = claimQueries(db)
  let lastServed = ""

  return async (transaction, room, nowMs) => {
    const claimed: Claimed[] = []
    const taken = new Map<string, number>()
    const full = [...room.full]
    for (const late of [0, 1] as const) {
      const atMost = claimed.length + Math.min(room.total - claimed.length, late ? room.late : room.total)
      for (let progress = true; progress && claimed.length < atMost; ) {
        progress = false
        const left = atMost - claimed.length
        for (const row of await firstOfEachEndpoint(transaction, late, full, left, nowMs)) {
          const here = (taken.get(row.endpoint_id) ?? 0) + 1
          claimed.push(await claim(transaction, row, late === 1, nowMs))
          taken.set(row.endpoint_id, here)
          if (here >= room.of(row.endpoint_id)) full.push(row.endpoint_id)
          lastServed = row.endpoint_id
          progress = true
        }
      }
    }
    return claimed
  }

  /** Beginning after the endpoint served last, so that none is always last. */
  async function firstOfEachEndpoint(
    transaction: Db,
    late: 0 | 1,
    except: readonly string[],
    atMost: number,
    nowMs: number,
  ): Promise<DueRow[]> {
    const wanted = { late, nowMs, except: except.join(" ") }
    const { rows } = await queries.first(transaction, { ...wanted, after: lastServed, upTo: "~", atMost })
    const left = atMost - rows.length
    if (left <= 0 || lastServed === "") return rows
    const rest = await queries.first(transaction, { ...wanted, after: "", upTo: lastServed, atMost: left })
    return [...rows, ...rest.rows]
  }

  async function claim(transaction: Db, row: DueRow, late: boolean, nowMs: number): Promise<Claimed> {
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
      endpointId: row.endpoint_id,
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
      at: Math.min((row.leased_until ?? nowMs) - leaseMs, nowMs),
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
      .set({ leased_until: nowMs + leaseMs })
      .where("delivery_id", "=", deliveryId)
      .where("kind", "=", kind)
      .where("attempt_id", "=", attemptId)
      .execute()
  }
}

/** Gives up claims of attempts that were not begun. */
export async function releaseClaims(transaction: Db, claims: readonly Claimed[]): Promise<void> {
  for (const { deliveryId, kind, attemptId } of claims) {
    await transaction
      .updateTable("due_attempt")
      .set({ attempt_id: null, leased_until: null })
      .where("delivery_id", "=", deliveryId)
      .where("kind", "=", kind)
      .where("attempt_id", "=", attemptId)
      .execute()
  }
}

function claimQueries(db: Db) {
  return {
    /** Of each endpoint after `after` that has something due, what is due longest; none of those that `except` names. */
    first: prepared<
      { late: 0 | 1; after: string; upTo: string; except: string; nowMs: number; atMost: number },
      DueRow
    >((value) =>
      sql<DueRow>`
          WITH RECURSIVE lane (endpoint_id) AS (
            SELECT min(endpoint_id) FROM due_attempt WHERE late = ${value("late")} AND endpoint_id > ${value("after")}
            UNION ALL
            SELECT (SELECT min(endpoint_id) FROM due_attempt
              WHERE late = ${value("late")} AND endpoint_id > lane.endpoint_id)
            FROM lane WHERE endpoint_id < ${value("upTo")}
          )
          SELECT due.delivery_id, due.kind, due.endpoint_id, due.attempt_id, due.leased_until, due.message_id,
            delivery.attempts_made, message.payload
          FROM lane
          JOIN due_attempt due ON (due.delivery_id, due.kind) = (
            SELECT longest.delivery_id, longest.kind FROM due_attempt longest
            WHERE longest.late = ${value("late")} AND longest.endpoint_id = lane.endpoint_id
              AND longest.due_at <= ${value("nowMs")}
              AND (longest.leased_until IS NULL OR longest.leased_until <= ${value("nowMs")})
            ORDER BY longest.due_at LIMIT 1)
          JOIN delivery ON delivery.id = due.delivery_id
          JOIN message ON message.id = due.message_id
          WHERE lane.endpoint_id <= ${value("upTo")}
            AND ${value("except")} NOT LIKE '%' || lane.endpoint_id || '%'
          LIMIT ${value("atMost")}`.compile(db),
    ),
    claim: prepared<{ attemptId: string; leasedUntilMs: number; deliveryId: string; kind: AttemptKind }>(
      (value) =>
        db
          .updateTable("due_attempt")
          .set({ attempt_id: value("attemptId"), leased_until: value("leasedUntilMs") })
          .where("delivery_id", "=", value("deliveryId"))
          .where("kind", "=", value("kind"))
          .compile(),
    ),
  }
}
