import { sql } from "kysely"
import { secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { prepared, preparedForEach } from "../db/prepared.ts"
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
  /** Of one endpoint at most. */
  each: number
  /** Of the total, those that are not first attempts. */
  late: number
  /** Of this one, when so many more were claimed since. */
  of(endpointId: string, claimedSince?: number): number
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

/** What a look for due attempts is narrowed to. */
interface Look {
  late: 0 | 1
  full: ReadonlySet<string>
  /** Of one endpoint. */
  share: number
  atMost: number
  nowMs: number
}

export type Claim = (transaction: Db, room: Room, nowMs: number) => Promise<Claimed[]>

/**
 * Claims what is due: first attempts of all endpoints before late ones, and of each endpoint in turn the one that is due longest.
 * It costs as much as it claims, whatever is stored or waits: endpoints are found by leaps in the index.
 */
export function claimer(db: Db): Claim {
  const queries = claimQueries(db)
  let lastServed = ""
  /** How many endpoints may have had a first, or late, attempt due at the last look. */
  const lanes = { 0: Number.POSITIVE_INFINITY, 1: Number.POSITIVE_INFINITY }

  return async (transaction, room, nowMs) => {
    const claimed: Claimed[] = []
    const taken = new Map<string, number>()
    let takenInAll = 0
    const full = new Set(room.full)

    /** Whether the endpoint has room for one more, which is then taken. */
    function take(endpointId: string): boolean {
      if (full.has(endpointId)) return false
      const here = (taken.get(endpointId) ?? 0) + 1
      taken.set(endpointId, here)
      if (here >= room.of(endpointId, ++takenInAll)) full.add(endpointId)
      return true
    }

    for (const late of [0, 1] as const) {
      const atMost = claimed.length + Math.min(room.total - claimed.length, late ? room.late : room.total)
      for (let mayHaveMore = true; mayHaveMore && claimed.length < atMost; ) {
        const left = atMost - claimed.length
        // Each its share of what is left, so that one look is mostly enough: with one of each a look, it took four.
        const share = Math.min(room.each, Math.ceil(left / lanes[late]) || 1)
        const rows = await dueOfEachEndpoint(transaction, { late, full, share, atMost: left, nowMs })
        const perLane = Map.groupBy(rows, (row) => row.endpoint_id)
        // One that was cut short, by `atMost`, has not seen all of them.
        lanes[late] = rows.length < left ? perLane.size + full.size : Math.max(lanes[late], perLane.size)
        const taking = rows.filter((row) => take(row.endpoint_id))
        claimed.push(...(await claim(transaction, taking, late === 1, nowMs)))
        mayHaveMore = [...perLane].some(
          ([endpointId, { length }]) => length === share && !full.has(endpointId),
        )
        lastServed = rows.at(-1)?.endpoint_id ?? lastServed
      }
    }
    return claimed
  }

  /** Beginning after the endpoint served last, so that none is always last. */
  async function dueOfEachEndpoint(
    transaction: Db,
    { late, full, share, atMost, nowMs }: Look,
  ): Promise<DueRow[]> {
    const wanted = { late, share, nowMs, except: [...full].join(" ") }
    const { rows } = await queries.due(transaction, { ...wanted, after: lastServed, upTo: "~", atMost })
    const left = atMost - rows.length
    if (left <= 0 || lastServed === "") return rows
    const rest = await queries.due(transaction, { ...wanted, after: "", upTo: lastServed, atMost: left })
    return [...rows, ...rest.rows]
  }

  async function claim(transaction: Db, rows: DueRow[], late: boolean, nowMs: number): Promise<Claimed[]> {
    const claims = rows.map((row) => ({
      attemptId: newId("att", nowMs),
      deliveryId: row.delivery_id,
      kind: row.kind,
      endpointId: row.endpoint_id,
      late,
      messageId: row.message_id,
      payload: row.payload,
      attemptsMade: row.attempts_made,
      claimedAtMs: nowMs,
      leasedUntilMs: nowMs + leaseMs,
    }))
    for (const row of rows)
      if (row.attempt_id !== null) await recordInterrupted(transaction, row, row.attempt_id, nowMs)
    await queries.claim(transaction, claims)
    return claims
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
    /** Of each endpoint after `after` that has something due, its share of what is due longest; none of those that `except` names. */
    due: prepared<Omit<Look, "full"> & { after: string; upTo: string; except: string }, DueRow>((value) =>
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
          JOIN due_attempt due ON (due.delivery_id, due.kind) IN (
            SELECT longest.delivery_id, longest.kind FROM due_attempt longest
            WHERE longest.late = ${value("late")} AND longest.endpoint_id = lane.endpoint_id
              AND longest.due_at <= ${value("nowMs")}
              AND (longest.leased_until IS NULL OR longest.leased_until <= ${value("nowMs")})
            ORDER BY longest.due_at LIMIT ${value("share")})
          JOIN delivery ON delivery.id = due.delivery_id
          JOIN message ON message.id = due.message_id
          WHERE lane.endpoint_id <= ${value("upTo")}
            AND instr(${value("except")}, lane.endpoint_id) = 0
          LIMIT ${value("atMost")}`.compile(db),
    ),
    claim: preparedForEach<{
      attemptId: string
      leasedUntilMs: number
      deliveryId: string
      kind: AttemptKind
    }>((value) =>
      db
        .updateTable("due_attempt")
        .set({ attempt_id: value("attemptId"), leased_until: value("leasedUntilMs") })
        .where("delivery_id", "=", value("deliveryId"))
        .where("kind", "=", value("kind"))
        .compile(),
    ),
  }
}
