import { type RawBuilder, sql } from "kysely"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { AttemptKind, Late } from "../../db/tables/webhooks.ts"
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
  /** Endpoints that have claims, and how many each. */
  lanes: ReadonlyMap<string, number>
  /** Those claims. */
  held: Iterable<Claimed>
}

/** An endpoint that has something due. */
interface LaneRow {
  endpoint_id: string
  /** How many of its deliveries are its share. */
  share: number
  /** JSON: the numbers of those due longest, so many more that its share is among them whatever is held. */
  numbers: string
}

interface DueRow {
  number: number
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
  /** So many endpoints may turn out to have nothing due but what is held. */
  lanesHeld: number
  /** So many deliveries of one endpoint are held. */
  heldOfOne: number
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
  const queries = { automatic: claimQueries(db, "automatic"), manual: claimQueries(db, "manual") }
  let lastServed = ""

  return async (transaction, room, nowMs) => {
    const own = numbersOf(room.held)
    const others = await lease.heldByOthers(transaction, nowMs)
    const held = {
      automatic: new Set([...own.automatic, ...others.automatic]),
      manual: new Set([...own.manual, ...others.manual]),
    }
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
        const holding = new Set([...room.lanes.keys(), ...taken.keys()])
        const heldByOthers = others[kind].length
        const lanesHeld = holding.size + heldByOthers
        const heldOfOne = most(room.lanes) + most(taken) + heldByOthers
        const { rows: lanes } = await queries[kind].lanes(transaction, {
          late,
          each,
          atMost,
          nowMs,
          after: lastServed,
          except: [...holding].filter(isFull).join(" "),
          lanesHeld,
          heldOfOne,
        })
        const taking = new Map<number, string>()
        // Whether there is nothing due but what is seen here.
        let isAll = lanes.length < atMost + lanesHeld
        for (const lane of lanes) {
          if (taking.size === atMost) break
          const free = freeOf(lane, kind, atMost - taking.size)
          for (const number of free) taking.set(number, lane.endpoint_id)
          if (free.length === lane.share) isAll = false
          lastServed = lane.endpoint_id
        }
        if (taking.size === 0) return
        // Endpoints that turned out to be full, or had little, kept more from being seen.
        cutShort = !isAll && taking.size < atMost / 2
        const numbers = JSON.stringify([...taking.keys()])
        const { rows } = await queries[kind].read(transaction, { numbers })
        for (const row of rows.sort(olderFirst)) {
          claimed.push(claimOf(row, taking.get(row.number) as string, kind, late, nowMs))
        }
      }
    }

    /** What of an endpoint's share is held by nobody, so many at most and as long as it has room; now it is held. */
    function freeOf({ endpoint_id, share, numbers }: LaneRow, kind: AttemptKind, atMost: number): number[] {
      const free: number[] = []
      for (const number of JSON.parse(numbers) as number[]) {
        if (held[kind].has(number)) continue
        if (free.length === Math.min(share, atMost) || isFull(endpoint_id)) break
        held[kind].add(number)
        taken.set(endpoint_id, (taken.get(endpoint_id) ?? 0) + 1)
        takenInAll++
        free.push(number)
      }
      return free
    }

    function isFull(endpointId: string): boolean {
      return (taken.get(endpointId) ?? 0) >= room.of(endpointId, takenInAll)
    }
  }
}

function most(counts: ReadonlyMap<string, number>): number {
  return Math.max(0, ...counts.values())
}

function claimOf(row: DueRow, endpointId: string, kind: AttemptKind, late: Late, nowMs: number): Claimed {
  return {
    deliveryNumber: row.number,
    kind,
    endpointId,
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
 * `lanes`: of each endpoint that has something due, the numbers of what is due longest, from the index alone; what is held is left out of
 * them here, since SQLite takes as long to do so as to find them. `read`: the deliveries of these numbers. A limit stands in a SELECT of
 * its own: SQLite compiles a statement anew at every run when a limit is a parameter, which takes ten times as long as to run it.
 */
function claimQueries(db: Db, kind: AttemptKind) {
  const [dueAt, isLate] =
    kind === "automatic"
      ? [sql.ref("due_at"), sql.ref("due_late")]
      : [sql.ref("resend_at"), sql.ref("resend_late")]

  /** The endpoint that follows another one in the index, and the first one after the last: found by leaps, whatever waits. */
  function nextLane(late: Late, endpointId: RawBuilder<unknown>): RawBuilder<unknown> {
    const first = sql`SELECT min(endpoint_id) FROM delivery WHERE ${isLate} = ${late} AND ${dueAt} IS NOT NULL`
    return sql`SELECT coalesce((${first} AND endpoint_id > ${endpointId}), (${first}))`
  }

  const lanes = prepared<Look, LaneRow>((value) => {
    const dueInLane = sql`FROM delivery WHERE ${isLate} = ${value("late")} AND endpoint_id = lane.endpoint_id AND ${dueAt} <= ${value("nowMs")}`
    return sql<LaneRow>`
      WITH RECURSIVE
        waiting (endpoint_id) AS NOT MATERIALIZED (
          ${nextLane(value("late"), sql`${value("after")}`)}
          UNION ${nextLane(value("late"), sql`waiting.endpoint_id`)} FROM waiting),
        lane (endpoint_id) AS MATERIALIZED (
          SELECT endpoint_id FROM waiting lane
          WHERE instr(${value("except")}, endpoint_id) = 0 AND EXISTS (SELECT 1 ${dueInLane})
          LIMIT (SELECT ${value("atMost")} + ${value("lanesHeld")})),
        share (size) AS MATERIALIZED (
          SELECT max(1, min(${value("each")}, ${value("atMost")} / max(count(*), 1))) FROM lane)
      SELECT endpoint_id, size AS share, (
        SELECT json_group_array(number) FROM (
          SELECT number ${dueInLane} ORDER BY ${dueAt} LIMIT (SELECT size + ${value("heldOfOne")} FROM share))) AS numbers
      FROM lane JOIN share`.compile(db)
  })
  const read = prepared<{ numbers: string }, DueRow>((value) =>
    sql<DueRow>`
      SELECT due.number, due.message_id, due.${dueAt} AS due_at, due.attempts_made,
        CASE WHEN length(message.payload) <= ${sql.lit(largeBytes)} THEN message.payload END AS payload
      FROM delivery due
      JOIN message ON message.id = due.message_id
      WHERE due.number IN (SELECT value FROM json_each(${value("numbers")}))`.compile(db),
  )
  return { lanes, read }
}
