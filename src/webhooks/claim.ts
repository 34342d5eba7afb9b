import { type RawBuilder, sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { prepared } from "../db/prepared.ts"
import type { AttemptKind, Late } from "../db/tables/webhooks.ts"
import { type Lease, numbersOf } from "./lease.ts"

/** Hundreds of claims wait in memory: a payload beyond this does not. */
const largeBytes = 16 * 1024

/** An attempt this process has to make: now, or when there is a place. Then it is recorded. */
export interface Claimed {
  deliveryNumber: number
  kind: AttemptKind
  endpointId: string
  late: boolean
  messageId: string
  /** null: large, to be read when it leaves. */
  payload: Uint8Array | null
  attemptsMade: number
  /** Since when it has been due, in milliseconds: whoever changes the delivery meanwhile changes this. */
  dueAtMs: number
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
  /** Those claims. */
  held: Iterable<Claimed>
}

interface DueRow {
  number: number
  endpoint_id: string
  message_id: string
  due_at: number
  attempts_made: number
  payload: Uint8Array | null
}

/** What a look for due attempts is narrowed to. */
interface Look {
  late: Late
  atMost: number
  /** Of one endpoint. */
  each: number
  nowMs: number
  /** Begins with the endpoint that follows this one, so that none is always last. */
  after: string
  /** Endpoints that have no room, with spaces between. */
  except: string
  /** JSON: the deliveries that somebody holds. */
  held: string
}

/** Finds what is due and held by nobody; the caller is to hold it, in the same transaction. */
export type Claim = (transaction: Db, room: Room, nowMs: number) => Promise<Claimed[]>

/** What a person waits for goes before what is due by itself. */
const kinds: readonly AttemptKind[] = ["manual", "automatic"]

/**
 * Claims what is due: first attempts of all endpoints before late ones, and of each endpoint in turn the one that is due longest.
 * It costs as much as it claims and as there are endpoints with something to send, however much is stored or waits for each: endpoints
 * are found by leaps in the index.
 */
export function claimer(db: Db, lease: Lease): Claim {
  const queries = { automatic: preparedLook(db, "automatic"), manual: preparedLook(db, "manual") }
  let lastServed = ""

  return async (transaction, room, nowMs) => {
    const held = numbersOf(room.held)
    const others = await lease.heldByOthers(transaction, nowMs)
    for (const kind of kinds) held[kind].push(...others[kind])
    const claimed: Claimed[] = []
    const taken = new Map<string, number>()
    let takenInAll = 0

    for (const late of [0, 1] as const) {
      const bound = claimed.length + Math.min(room.total - claimed.length, late ? room.late : room.total)
      const before = claimed.length
      for (const kind of kinds) await takeDue(kind, late, Math.min(bound, room.shared), room.each)
      if (claimed.length > before || bound <= room.shared) continue
      // As long as that gives places, every endpoint has its turn.
      for (const kind of kinds) await takeDue(kind, late, bound, 1)
    }
    return claimed

    /** Until so many are claimed in all; each endpoint its share, so that all advance at the same pace. */
    async function takeDue(kind: AttemptKind, late: Late, bound: number, each: number): Promise<void> {
      for (let cutShort = true; cutShort && claimed.length < bound; ) {
        const atMost = bound - claimed.length
        const full = [...new Set([...room.endpointIds, ...taken.keys()])].filter(isFull)
        const { rows } = await queries[kind](transaction, {
          late,
          each,
          atMost,
          nowMs,
          after: lastServed,
          except: full.join(" "),
          held: JSON.stringify(held[kind]),
        })
        const taking = rows.filter(take).sort(olderFirst)
        // Rows of endpoints that turned out to be full kept those behind them from being seen.
        cutShort = rows.length === atMost && taking.length < rows.length / 2
        for (const row of taking) claimed.push(claimOf(row, kind, late, nowMs))
        held[kind].push(...taking.map(({ number }) => number))
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
}

function claimOf(row: DueRow, kind: AttemptKind, late: Late, nowMs: number): Claimed {
  return {
    deliveryNumber: row.number,
    kind,
    endpointId: row.endpoint_id,
    late: late === 1,
    messageId: row.message_id,
    payload: row.payload,
    attemptsMade: row.attempts_made,
    dueAtMs: row.due_at,
    claimedAtMs: nowMs,
  }
}

/**
 * Each endpoint has its share of a claim; within it, they leave in the order in which they came in. They stand in that order in the
 * database too: what is written down together then stands closer together, and a commit writes a fifth fewer pages.
 */
function olderFirst(one: DueRow, other: DueRow): number {
  return one.number - other.number
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

/** Since when each of these claims is due as it stands in the database: null once it was cancelled, its payload erased, its log purged. */
export async function dueTimesOf(
  transaction: Db,
  claims: readonly Claimed[],
): Promise<Map<Claimed, number | null>> {
  if (claims.length === 0) return new Map()
  const rows = await transaction
    .selectFrom("delivery")
    .select(["number", "due_at", "resend_at"])
    .where(
      "number",
      "in",
      claims.map(({ deliveryNumber }) => deliveryNumber),
    )
    .execute()
  const deliveries = new Map(rows.map((row) => [row.number, row]))
  return new Map(
    claims.map((one) => {
      const delivery = deliveries.get(one.deliveryNumber)
      return [one, (one.kind === "automatic" ? delivery?.due_at : delivery?.resend_at) ?? null]
    }),
  )
}

/**
 * Of each endpoint that has something due, its share of what is due longest. A limit stands in a SELECT of its own: SQLite compiles a
 * statement anew at every run when a limit is a parameter, which takes ten times as long as to run it.
 */
function preparedLook(db: Db, kind: AttemptKind) {
  const [dueAt, isLate] =
    kind === "automatic"
      ? [sql.ref("due_at"), sql.ref("due_late")]
      : [sql.ref("resend_at"), sql.ref("resend_late")]

  /** The endpoint that follows another one in the index, and the first one after the last: found by leaps, whatever waits. */
  function nextLane(late: Late, endpointId: RawBuilder<unknown>): RawBuilder<unknown> {
    const first = sql`SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${late} AND ${dueAt} IS NOT NULL`
    return sql`SELECT coalesce((${first} AND endpoint_id > ${endpointId}), (${first}))`
  }

  return prepared<Look, DueRow>((value) => {
    const dueInLane = sql`${isLate} = ${value("late")} AND endpoint_id = lane.endpoint_id AND ${dueAt} <= ${value("nowMs")}`
    const isFree = sql`number NOT IN (SELECT value FROM json_each(${value("held")}))`
    return sql<DueRow>`
      WITH RECURSIVE
        waiting (endpoint_id) AS NOT MATERIALIZED (
          ${nextLane(value("late"), sql`${value("after")}`)}
          UNION ${nextLane(value("late"), sql`waiting.endpoint_id`)} FROM waiting),
        lane (endpoint_id) AS MATERIALIZED (
          SELECT endpoint_id FROM waiting lane
          WHERE instr(${value("except")}, endpoint_id) = 0 AND EXISTS (SELECT 1 FROM delivery WHERE ${dueInLane} AND ${isFree})
          LIMIT (SELECT ${value("atMost")})),
        share (size) AS MATERIALIZED (
          SELECT max(1, min(${value("each")}, ${value("atMost")} / max(count(*), 1))) FROM lane)
      SELECT due.number, due.endpoint_id, due.message_id, due.${dueAt} AS due_at, due.attempts_made,
        CASE WHEN length(message.payload) <= ${sql.lit(largeBytes)} THEN message.payload END AS payload
      FROM lane
      JOIN delivery due ON due.number IN (
        SELECT number FROM delivery
        WHERE ${dueInLane} AND ${isFree}
        ORDER BY ${dueAt} LIMIT (SELECT size FROM share))
      JOIN message ON message.id = due.message_id
      LIMIT (SELECT ${value("atMost")})`.compile(db)
  })
}
