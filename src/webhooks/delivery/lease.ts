import { sql } from "kysely"
import { secondMs } from "../../base/clock.ts"
import { randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { prepared, preparedAhead } from "../../db/prepared.ts"
import type { AttemptKind, LeaseRow } from "../../db/tables/webhooks.ts"
import { engineOf } from "../../db/words.ts"
import { logInterrupted } from "./interrupted.ts"
import type { Claim } from "./queue.ts"

/**
 * How long a lease lasts without renewal: the 10 seconds of an attempt, the wait for a place, and the write.
 * The claims of a process that died are free after that, so an interrupted attempt is made again within 15
 * seconds of the next start.
 */
export const leaseMs = 13 * secondMs

/** Numbers of deliveries, by the kind of attempt. */
export type Held = Record<AttemptKind, number[]>

/** With the endpoints that they belong to, where several processes send. */
type HeldOfEndpoints = Held & { endpoints?: readonly string[] }

/** Claims and endpoints that are not free for this process. */
export interface HeldByOthers extends Held {
  /** Endpoints that another process sends to. */
  endpoints: ReadonlySet<string>
  /** How many processes send, this one included. */
  senders: number
}

/** The leases as they stand. */
export interface Leases {
  rows: readonly LeaseRow[]
  /** How many processes send. */
  senders: number
}

/**
 * The claims of each process, under a lease. One row a process holds the numbers of its deliveries, so that a
 * claim writes nothing into the deliveries themselves.
 */
export interface Lease {
  /** All leases, for the calls below in the same transaction. */
  read(transaction: Db): Promise<Leases>
  /** States that this process holds these claims and no others, from now on for `leaseMs`. */
  renew(transaction: Db, leases: Leases, claims: readonly Claim[], nowMs: number): Promise<void>
  /** The claims of other processes. Ends leases that ran out, and logs their attempts as interrupted. */
  heldByOthers(transaction: Db, leases: Leases, nowMs: number): Promise<HeldByOthers>
}

export function openLease(db: Db): Lease {
  // One process alone sends what SQLite holds: nobody reads the endpoints there.
  const heldBy = engineOf(db) === "sqlite" ? numbersOf : withEndpoints
  const holder = randomText(16, "abcdefghijklmnopqrstuvwxyz0123456789")

  return {
    async read(transaction) {
      const { rows } = await allLeases(transaction, {})
      // A command sends although it is no node.
      return { rows: rows.filter(isLease), senders: Math.max(1, rows[0]?.senders ?? 0) }
    },
    async renew(transaction, leases, claims, nowMs) {
      const held = JSON.stringify(heldBy(claims))
      const own = leases.rows.find((lease) => lease.holder === holder)
      if (claims.length === 0) {
        if (own) await deleteLease(transaction, { holder })
      } else if (own?.held !== held || !isFresh(own.until - nowMs))
        await writeLease(transaction, { holder, until: nowMs + leaseMs, held })
    },
    async heldByOthers(transaction, leases, nowMs) {
      const endpoints = new Set<string>()
      const { senders } = leases
      const all = { automatic: [] as number[], manual: [] as number[], endpoints, senders }
      for (const lease of leases.rows) {
        if (lease.holder === holder) continue
        const held: HeldOfEndpoints = JSON.parse(lease.held)
        if (lease.until <= nowMs) {
          // The process ended before it stored a result.
          const startedAtMs = lease.until - leaseMs
          await logInterrupted(transaction, "automatic", held.automatic, startedAtMs)
          await logInterrupted(transaction, "manual", held.manual, startedAtMs)
          await deleteLease(transaction, lease)
          continue
        }
        // The clock was set back: no lease lasts longer than `leaseMs` from now.
        const until = Math.min(lease.until, nowMs + leaseMs)
        if (until < lease.until) await writeLease(transaction, { ...lease, until })
        all.automatic.push(...held.automatic)
        all.manual.push(...held.manual)
        for (const id of held.endpoints ?? []) endpoints.add(id)
      }
      return all
    },
  }
}

type MaybeLease = { senders: number } & (LeaseRow | { holder: null })

function isLease(row: MaybeLease): row is MaybeLease & LeaseRow {
  return row.holder !== null
}

/** One row without a lease when there is none. */
const allLeases = prepared<object, MaybeLease>((_, db) =>
  sql<MaybeLease>`
    SELECT senders, holder, until, held FROM (SELECT count(*) AS senders FROM node) nodes LEFT JOIN lease ON true`.compile(
    db,
  ),
)

const writeLease = preparedAhead<LeaseRow>((value, db) =>
  db
    .insertInto("lease")
    .values({ holder: value("holder"), until: value("until"), held: value("held") })
    .onConflict((conflict) =>
      conflict.column("holder").doUpdateSet({ until: value("until"), held: value("held") }),
    )
    .compile(),
)

const deleteLease = preparedAhead<Pick<LeaseRow, "holder">>((value, db) =>
  db.deleteFrom("lease").where("holder", "=", value("holder")).compile(),
)

export function numbersOf(claims: Iterable<Claim>): Held {
  const held: Held = { automatic: [], manual: [] }
  for (const { kind, deliveryNumber } of claims) held[kind].push(deliveryNumber)
  return held
}

/** The deliveries whose automatic attempt a process holds at this moment. */
export async function numbersInFlight(db: Db): Promise<Set<number>> {
  const leases = await db.selectFrom("lease").select("held").execute()
  return new Set(leases.flatMap(({ held }) => (JSON.parse(held) as Held).automatic))
}

function withEndpoints(claims: readonly Claim[]): HeldOfEndpoints {
  return { ...numbersOf(claims), endpoints: [...new Set(claims.map(({ endpointId }) => endpointId))] }
}

/** More than `leaseMs` are left once the clock was set back. */
function isFresh(leftMs: number): boolean {
  return leftMs > leaseMs / 2 && leftMs <= leaseMs
}
