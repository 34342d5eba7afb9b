import { type RawBuilder, sql } from "kysely"
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

/** Hundreds of claims wait in memory: a payload beyond this does not. */
const largeBytes = 16 * 1024

/** An attempt in flight: claimed, to be sent now, then recorded. */
export interface Claimed {
  attemptId: string
  deliveryId: string
  kind: AttemptKind
  endpointId: string
  late: boolean
  messageId: string
  /** null: large, to be read when it leaves. */
  payload: Uint8Array | null
  attemptsMade: number
  claimedAtMs: number
}

/** How many more attempts may be claimed. */
export interface Room {
  total: number
  /** Of the total, what any endpoint may have; the rest is for endpoints that have none. */
  shared: number
  /** Of the total, those that are not first attempts. */
  late: number
  /** Of one endpoint at most. */
  each: number
  /** Of this one, when so many more were claimed since. */
  of(endpointId: string, claimedSince?: number): number
  /** Endpoints that have claims. */
  endpointIds: readonly string[]
}

interface DueRow {
  delivery_id: string
  kind: AttemptKind
  endpoint_id: string
  attempt_id: string | null
  leased_until: number | null
  message_id: string
  attempts_made: number
  payload: Uint8Array | null
}

/** What a look for due attempts is narrowed to. */
interface Look {
  late: 0 | 1
  /** Of one endpoint. */
  share: number
  atMost: number
  nowMs: number
  /** Begins with the endpoint that follows this one, so that none is always last. */
  after: string
  /** Endpoints that have no room, with spaces between. */
  except: string
}

export type Claim = (transaction: Db, room: Room, nowMs: number) => Promise<Claimed[]>

/**
 * Claims what is due: first attempts of all endpoints before late ones, and of each endpoint in turn the one that is due longest.
 * It costs as much as it claims and as there are endpoints with something to send, however much is stored or waits for each: endpoints
 * are found by leaps in the index.
 */
export function claimer(db: Db): Claim {
  const queries = claimQueries(db)
  let lastServed = ""

  return async (transaction, room, nowMs) => {
    const claimed: Claimed[] = []
    const taken = new Map<string, number>()
    let takenInAll = 0

    for (const late of [0, 1] as const) {
      const bound = claimed.length + Math.min(room.total - claimed.length, late ? room.late : room.total)
      const before = claimed.length
      await takeDue(late, Math.min(bound, room.shared), room.each)
      // As long as that gives places, every endpoint has its turn.
      if (claimed.length === before) await takeDue(late, bound, 1)
    }
    return claimed

    /** Until so many are claimed in all; each endpoint its share, so that all advance at the same pace. */
    async function takeDue(late: 0 | 1, bound: number, each: number): Promise<void> {
      for (let cutShort = true; cutShort && claimed.length < bound; ) {
        const atMost = bound - claimed.length
        const full = [...new Set([...room.endpointIds, ...taken.keys()])].filter(isFull)
        const lanes = await lanesDue(transaction, { late, nowMs, atMost: atMost + full.length })
        const share = Math.min(each, Math.ceil(atMost / Math.max(1, lanes - full.length)))
        const look = { late, share, atMost, nowMs, after: lastServed, except: full.join(" ") }
        const { rows } = await queries.due(transaction, look)
        const taking = rows.filter(take).sort(olderFirst)
        // Rows of endpoints that turned out to be full kept those behind them from being seen.
        cutShort = rows.length === atMost && taking.length < rows.length / 2
        claimed.push(...(await claim(transaction, taking, late === 1, nowMs)))
        lastServed = rows.at(-1)?.endpoint_id ?? lastServed
      }
    }

    /** Whether the endpoint has room for one more, which is then taken. */
    function take({ endpoint_id }: DueRow): boolean {
      if (isFull(endpoint_id)) return false
      taken.set(endpoint_id, (taken.get(endpoint_id) ?? 0) + 1)
      takenInAll++
      return true
    }

    function isFull(endpointId: string): boolean {
      return (taken.get(endpointId) ?? 0) >= room.of(endpointId, takenInAll)
    }
  }

  /** How many endpoints have something due: counted up to so many. */
  async function lanesDue(transaction: Db, bounds: Pick<Look, "late" | "nowMs" | "atMost">): Promise<number> {
    const { rows } = await queries.lanes(transaction, bounds)
    return rows[0]?.lanes ?? 0
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

/**
 * Each endpoint has its share of a claim; within it, they leave in the order in which they came in. They stand in that order in the
 * database too: what is written down together then stands closer together, and a commit writes a fifth fewer pages.
 */
function olderFirst(one: DueRow, other: DueRow): number {
  return one.delivery_id < other.delivery_id ? -1 : 1
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

/** A payload that was too large to wait in memory; undefined when it was erased meanwhile. */
export async function largePayload(db: Db, { messageId }: Claimed): Promise<Uint8Array | undefined> {
  const message = await db
    .selectFrom("message")
    .select("payload")
    .where("id", "=", messageId)
    .executeTakeFirst()
  return message?.payload ?? undefined
}

/** Of these claims, those that were cancelled meanwhile: their endpoint is gone or limited anew, their payload erased. */
export async function cancelledOf(transaction: Db, claims: readonly Claimed[]): Promise<Set<Claimed>> {
  if (claims.length === 0) return new Set()
  const held = await transaction
    .selectFrom("due_attempt")
    .select("attempt_id")
    .where(
      "delivery_id",
      "in",
      claims.map(({ deliveryId }) => deliveryId),
    )
    .execute()
  const attemptIds = new Set(held.map(({ attempt_id }) => attempt_id))
  return new Set(claims.filter(({ attemptId }) => !attemptIds.has(attemptId)))
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
    lanes: prepared<Pick<Look, "late" | "nowMs" | "atMost">, { lanes: number }>((value) =>
      sql<{ lanes: number }>`
          WITH RECURSIVE ${lanesFrom(value("late"), "")}
          SELECT count(*) AS lanes FROM (
            SELECT 1 FROM lane WHERE EXISTS (
              SELECT 1 FROM due_attempt
              WHERE late = ${value("late")} AND endpoint_id = lane.endpoint_id AND due_at <= ${value("nowMs")})
            LIMIT ${value("atMost")})`.compile(db),
    ),
    /** Of each endpoint that has something due, its share of what is due longest. */
    due: prepared<Look, DueRow>((value) =>
      sql<DueRow>`
          WITH RECURSIVE ${lanesFrom(value("late"), value("after"))}
          SELECT due.delivery_id, due.kind, due.endpoint_id, due.attempt_id, due.leased_until, due.message_id,
            delivery.attempts_made,
            CASE WHEN length(message.payload) <= ${sql.lit(largeBytes)} THEN message.payload END AS payload
          FROM lane
          JOIN due_attempt due ON (due.delivery_id, due.kind) IN (
            SELECT longest.delivery_id, longest.kind FROM due_attempt longest
            WHERE longest.late = ${value("late")} AND longest.endpoint_id = lane.endpoint_id
              AND longest.due_at <= ${value("nowMs")}
              AND (longest.leased_until IS NULL OR longest.leased_until <= ${value("nowMs")})
            ORDER BY longest.due_at LIMIT ${value("share")})
          JOIN delivery ON delivery.id = due.delivery_id
          JOIN message ON message.id = due.message_id
          WHERE instr(${value("except")}, lane.endpoint_id) = 0
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

/** The endpoints that have something waiting, in turn, beginning with the one that follows `after`. */
function lanesFrom(late: 0 | 1, after: string): RawBuilder<unknown> {
  return sql`lane (endpoint_id) AS (
    ${nextLane(late, sql`${after}`)} UNION ${nextLane(late, sql`lane.endpoint_id`)} FROM lane)`
}

/** The endpoint that follows another one in the index, and the first one after the last: found by leaps, whatever waits. */
function nextLane(late: 0 | 1, endpointId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT coalesce(
    (SELECT min(endpoint_id) FROM due_attempt WHERE late = ${late} AND endpoint_id > ${endpointId}),
    (SELECT min(endpoint_id) FROM due_attempt WHERE late = ${late}))`
}
