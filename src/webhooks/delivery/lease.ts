import { secondMs } from "../../base/clock.ts"
import { randomText } from "../../base/ids.ts"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { AttemptKind, LeaseRow } from "../../db/tables/webhooks.ts"
import type { Claimed } from "./claim.ts"
import { nextNumber } from "./next-number.ts"

/**
 * How long a claim holds: the 10 seconds an attempt may take, and the time to wait for a place and to write it down. A process that dies leaves its
 * claims to whoever looks next once that is over, so what it interrupted is tried again within 15 seconds of the next start.
 */
export const leaseMs = 13 * secondMs

/** Numbers of deliveries, by the kind of attempt. */
export type Held = Record<AttemptKind, number[]>

/** What this process holds, in one row however much that is: it would otherwise be written into every delivery it is about to send. */
export interface Lease {
  /** Writes down that these are all it holds; with none, it ends. */
  hold(transaction: Db, claims: Iterable<Claimed>, nowMs: number): Promise<void>
  /** What other processes hold. What one held when its time ran out was interrupted: logged as such, and free again. */
  heldByOthers(transaction: Db, nowMs: number): Promise<Held>
}

export function openLease(db: Db): Lease {
  const holder = randomText(16, "abcdefghijklmnopqrstuvwxyz0123456789")
  const queries = leaseQueries(db)

  return {
    async hold(transaction, claims, nowMs) {
      const held = JSON.stringify(numbersOf(claims))
      const own = (await queries.leases(transaction, {})).rows.find((lease) => lease.holder === holder)
      if (held === nothing) {
        if (own) await queries.end(transaction, { holder })
      } else if (own?.held !== held || !isLong(own.until - nowMs))
        await queries.hold(transaction, { holder, until: nowMs + leaseMs, held })
    },
    async heldByOthers(transaction, nowMs) {
      const all: Held = { automatic: [], manual: [] }
      for (const lease of (await queries.leases(transaction, {})).rows) {
        if (lease.holder === holder) continue
        const held: Held = JSON.parse(lease.held)
        if (lease.until <= nowMs) {
          await interrupt(transaction, held, lease.until - leaseMs)
          await queries.end(transaction, lease)
          continue
        }
        // The clock was set back.
        const until = Math.min(lease.until, nowMs + leaseMs)
        if (until < lease.until) await queries.hold(transaction, { ...lease, until })
        all.automatic.push(...held.automatic)
        all.manual.push(...held.manual)
      }
      return all
    },
  }
}

function leaseQueries(db: Db) {
  return {
    leases: prepared<object, LeaseRow>(() => db.selectFrom("lease").selectAll().compile()),
    hold: prepared<LeaseRow>((value) =>
      db
        .replaceInto("lease")
        .values({ holder: value("holder"), until: value("until"), held: value("held") })
        .compile(),
    ),
    end: prepared<Pick<LeaseRow, "holder">>((value) =>
      db.deleteFrom("lease").where("holder", "=", value("holder")).compile(),
    ),
  }
}

export function numbersOf(claims: Iterable<Claimed>): Held {
  const held: Held = { automatic: [], manual: [] }
  for (const { kind, deliveryNumber } of claims) held[kind].push(deliveryNumber)
  return held
}

/** Of these deliveries, those whose automatic attempt somebody makes at this moment. */
export async function numbersInFlight(db: Db): Promise<Set<number>> {
  const leases = await db.selectFrom("lease").select("held").execute()
  return new Set(leases.flatMap(({ held }) => (JSON.parse(held) as Held).automatic))
}

const nothing = JSON.stringify(numbersOf([]))

/** Neither about to end nor longer than a lease lasts, which it is once the clock was set back. */
function isLong(leftMs: number): boolean {
  return leftMs > leaseMs / 2 && leftMs <= leaseMs
}

/** Their process ended before it could tell what came of them. They do not use up one of the 8. */
async function interrupt(transaction: Db, held: Held, atMs: number): Promise<void> {
  for (const [kind, due] of [
    ["automatic", "due_at"],
    ["manual", "resend_at"],
  ] as const) {
    await transaction
      .insertInto("attempt")
      .columns(["delivery_number", "number", "kind", "at", "outcome"])
      .expression((query) =>
        query
          .selectFrom("delivery")
          .select(({ ref, val }) => [
            "delivery.number as delivery_number",
            nextNumber(ref("delivery.number")).as("number"),
            val(kind).as("kind"),
            val(atMs).as("at"),
            val("interrupted" as const).as("outcome"),
          ])
          .where("number", "in", held[kind])
          .where(due, "is not", null),
      )
      .execute()
  }
}
