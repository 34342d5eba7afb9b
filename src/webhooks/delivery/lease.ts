import { sql } from "kysely"
import { secondMs } from "../../base/clock.ts"
import { randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { serverNow } from "../../db/postgres/clock.ts"
import { prepared, preparedAhead } from "../../db/prepared.ts"
import type { Row } from "../../db/schema.ts"
import { deleteRows } from "../../db/store.ts"
import { engineOf } from "../../db/words.ts"
import type { HeldDeliveries } from "../messages/delivery-log.ts"
import { logInterrupted } from "./interrupted.ts"
import type { Claim } from "./queue.ts"
import { somethingWaits } from "./turns/release.ts"

/**
 * How long a lease lasts without renewal: the 10 seconds of an attempt, the wait for a place, and the write.
 * The claims of a process that died are free after that, so an interrupted attempt is made again within 15
 * seconds of the next start.
 */
export const leaseMs = 13 * secondMs

/** A lease is renewed by the first round that finds less left of it. A round comes every second. */
const renewedAtMs = leaseMs / 2

/**
 * How often this process must have reached PostgreSQL, each time most of a second later, since the holder of a
 * lease had to renew it. After a time without the database all leases have run out: the process that comes back
 * first gives the others some seconds to renew theirs, and so does a process that has just started.
 */
const chances = 6
const chanceEveryMs = 900

/** Two processes know the clock of the database to that. One that was paused is further behind. */
const maxSkewMs = 2 * secondMs

/** With the endpoints that they belong to, where several processes send. */
type HeldOfEndpoints = HeldDeliveries & { endpoints?: readonly string[] }

/** Claims and endpoints that are not free for this process. */
export interface HeldByOthers extends HeldDeliveries {
  endpoints: ReadonlySet<string>
  /** How many processes send, this one included. */
  senders: number
}

export interface Leases {
  own: Row<"lease"> | undefined
  others: readonly Row<"lease">[]
  senders: number
  somethingWaits: boolean
}

/**
 * The claims of each process, under a lease. One row a process holds the numbers of its deliveries, so that a
 * claim writes nothing into the deliveries themselves. No two leases hold one delivery.
 */
export interface Lease {
  /** All leases, for the calls below in the same transaction. */
  read(transaction: Db): Promise<Leases>
  /** Claims that no lease covers any more, since this process was frozen or cut off for too long. */
  lost(leases: Leases, held: readonly Claim[]): readonly Claim[]
  /** States that this process holds these claims and no others, from now on for `leaseMs`. */
  renew(transaction: Db, leases: Leases, claims: readonly Claim[], nowMs: number): Promise<void>
  /**
   * The claims of other processes. Ends leases that ran out, and logs their attempts as interrupted. Undefined while
   * the clock of this process is behind that of the others. `waitedMs`: from `nowMs` until the leases were read.
   */
  heldByOthers(
    transaction: Db,
    leases: Leases,
    nowMs: number,
    waitedMs: number,
  ): Promise<HeldByOthers | undefined>
  /** A round that began at this time was written down. */
  written(nowMs: number): void
}

export function openLease(db: Db): Lease {
  // One process alone sends what SQLite holds: no other process reads the endpoints there, and no lease runs out
  // unless its holder has ended.
  const isAlone = engineOf(db) === "sqlite"
  const heldBy = isAlone ? heldDeliveries : withEndpoints
  const holder = randomText(16, "abcdefghijklmnopqrstuvwxyz0123456789")
  let lost: ReadonlySet<Claim> = new Set()
  /** When the last rounds began that were written down, as far apart as chances are. */
  let roundsAtMs: readonly number[] = []

  function hadChances({ until }: Row<"lease">): boolean {
    const firstMs = roundsAtMs[roundsAtMs.length - chances]
    return isAlone || (firstMs !== undefined && firstMs >= until - renewedAtMs)
  }

  return {
    async read(transaction) {
      const { rows } = await allLeases(transaction, {})
      const leases = rows.filter(isLease)
      return {
        own: leases.find((lease) => lease.holder === holder),
        others: leases.filter((lease) => lease.holder !== holder),
        // A command sends although it is no node.
        senders: Math.max(1, rows[0]?.senders ?? 0),
        somethingWaits: Boolean(rows[0]?.waits),
      }
    },
    lost({ own }, held) {
      // A process that holds anything said so in its last round.
      if (!own) lost = new Set(held)
      else if (lost.size > 0) lost = new Set(held.filter((claim) => lost.has(claim)))
      return [...lost]
    },
    async renew(transaction, { own }, claims, nowMs) {
      const covered = lost.size === 0 ? claims : claims.filter((claim) => !lost.has(claim))
      const lease = { holder, until: nowMs + leaseMs, held: JSON.stringify(heldBy(covered)) }
      if (covered.length === 0) {
        if (own) await deleteLease(transaction, { holder })
      } else if (!own) await insertLease(transaction, lease)
      // Not inserted once more if it was ended since: the next round finds out.
      else if (own.held !== lease.held || !isFresh(own.until - nowMs)) await updateLease(transaction, lease)
    },
    async heldByOthers(transaction, { others, senders }, nowMs, waitedMs) {
      if (others.some(({ until }) => until - leaseMs > nowMs + waitedMs + maxSkewMs)) {
        await shortenLeases(transaction, nowMs)
        if (!isAlone) return undefined
      }
      const endpoints = new Set<string>()
      const all = { automatic: [] as number[], manual: [] as number[], endpoints, senders }
      for (const lease of others) {
        const held: HeldOfEndpoints = JSON.parse(lease.held)
        const hasEnded = lease.until <= nowMs && hadChances(lease) && (await endLease(transaction, lease))
        if (hasEnded) {
          const startedAtMs = lease.until - leaseMs
          await logInterrupted(transaction, "automatic", held.automatic, startedAtMs)
          await logInterrupted(transaction, "manual", held.manual, startedAtMs)
          continue
        }
        all.automatic.push(...held.automatic)
        all.manual.push(...held.manual)
        for (const id of held.endpoints ?? []) endpoints.add(id)
      }
      return all
    },
    written(nowMs) {
      const lastMs = roundsAtMs.at(-1) ?? 0
      // The clock was set back.
      if (nowMs < lastMs) roundsAtMs = []
      else if (nowMs - lastMs < chanceEveryMs) return
      roundsAtMs = [...roundsAtMs, nowMs].slice(-chances)
    },
  }
}

type MaybeLease = { senders: number; waits: unknown } & (Row<"lease"> | { holder: null })

function isLease(row: MaybeLease): row is MaybeLease & Row<"lease"> {
  return row.holder !== null
}

/** One row for each lease; a single row with nulls where no process holds one. */
const allLeases = prepared<object, MaybeLease>((_, db) =>
  sql<MaybeLease>`
    SELECT senders, ${somethingWaits(db)} AS waits, holder, until, held FROM (SELECT count(*) AS senders FROM node) nodes LEFT JOIN lease ON true`.compile(
    db,
  ),
)

const insertLease = preparedAhead<Row<"lease">>((value, db) =>
  db
    .insertInto("lease")
    .values({ holder: value("holder"), until: value("until"), held: value("held") })
    .compile(),
)

const updateLease = preparedAhead<Row<"lease">>((value, db) =>
  db
    .updateTable("lease")
    .set({ until: value("until"), held: value("held") })
    .where("holder", "=", value("holder"))
    .compile(),
)

const deleteLease = preparedAhead<Pick<Row<"lease">, "holder">>((value, db) =>
  db.deleteFrom("lease").where("holder", "=", value("holder")).compile(),
)

/** False when its holder has renewed it meanwhile. */
async function endLease(transaction: Db, { holder, until }: Row<"lease">): Promise<boolean> {
  return (await deleteRows(transaction, "lease", { holder, until })).length > 0
}

/**
 * After the clock was set back, no lease lasts longer than `leaseMs` from now. Where nodes share the clock of the
 * server, that one is asked: this process may have been paused, and its own be behind.
 */
async function shortenLeases(transaction: Db, nowMs: number): Promise<void> {
  const latest =
    engineOf(transaction) === "sqlite" ? sql.lit(nowMs + leaseMs) : sql`${serverNow} + ${sql.lit(leaseMs)}`
  await sql`UPDATE lease SET until = ${latest} WHERE until > ${latest}`.execute(transaction)
}

export function heldDeliveries(claims: Iterable<Claim>): HeldDeliveries {
  const held: HeldDeliveries = { automatic: [], manual: [] }
  for (const { kind, deliveryNumber } of claims) held[kind].push(deliveryNumber)
  return held
}

function withEndpoints(claims: readonly Claim[]): HeldOfEndpoints {
  return { ...heldDeliveries(claims), endpoints: [...new Set(claims.map(({ endpointId }) => endpointId))] }
}

/** More than `leaseMs` are left once the clock was set back. */
function isFresh(leftMs: number): boolean {
  return leftMs > renewedAtMs && leftMs <= leaseMs
}
