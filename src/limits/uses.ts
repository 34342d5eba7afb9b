import { type RawBuilder, type SqlBool, sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { prepared, preparedAhead } from "../db/prepared.ts"
import { eachObject } from "../db/words.ts"
import { type Counter, type Moment, periodName } from "./limit.ts"

export interface Use {
  used: number
  /** When all points of a limit that rolls on are there again; 0: now. */
  until: number
}

export type StoredUse = Counter & Use

/** Counters that a transaction reads at once, decides by, and writes at once. */
export interface Uses {
  of(counter: Counter): Use
  /** Adds to what is used, and moves `until` if it is given. */
  add(counter: Counter, points: number, until?: number): void
  write(transaction: Db): Promise<void>
}

/** On PostgreSQL the transaction holds the locks (`withLock`) of what these counters count. */
export async function readUses(transaction: Db, counters: readonly Counter[]): Promise<Uses> {
  return usesIn((await read(transaction, { counters: JSON.stringify(counters) })).rows)
}

/** Adds a point to each counter, of which nothing is asked; one that is named twice gets two. */
export function addUses(transaction: Db, counters: readonly Counter[]): Promise<void> {
  const uses = usesIn([])
  for (const counter of counters) uses.add(counter, 1)
  return uses.write(transaction)
}

export function usesIn(rows: readonly StoredUse[]): Uses {
  const uses = new Map<string, Use>()
  const added = new Map<string, StoredUse>()
  const of = (counter: Counter) => uses.get(counterKey(counter)) ?? { used: 0, until: 0 }
  for (const row of rows) uses.set(counterKey(row), { used: of(row).used + row.used, until: row.until })
  return {
    of,
    add(counter, points, until = of(counter).until) {
      const key = counterKey(counter)
      uses.set(key, { used: of(counter).used + points, until })
      added.set(key, { ...counter, used: (added.get(key)?.used ?? 0) + points, until })
    },
    async write(transaction) {
      if (added.size === 0) return
      // In one order everywhere, so that no two nodes wait for each other.
      const rows = [...added.keys()].sort().map((key) => added.get(key))
      await add(transaction, { rows: JSON.stringify(rows) })
    },
  }
}

/** Whether a row of `limit_count` is one of these counters (JSON: `Counter[]`). */
export function isOneOf(db: Db, counters: string): RawBuilder<SqlBool> {
  return sql`(period, subject) IN (SELECT value ->> 'period', value ->> 'subject' FROM ${eachObject(db, counters)})`
}

/** With the hashes of visitors, and counters whose points are all there again: a flood leaves many. */
export async function purgeLimits(db: Db, at: Moment): Promise<void> {
  const [day, month] = [periodName("day", at), periodName("month", at)]
  await deleteInSteps(db, "limit_count", ({ and, eb }) =>
    // As it stands in the condition of the index, which is not used for a parameter.
    and([eb("period", "=", sql.lit("")), eb("until", "<=", at.nowMs)]),
  )
  await deleteInSteps(db, "limit_count", ({ and, or, eb }) =>
    and([
      eb("period", ">", ""),
      eb("period", "<", day),
      or([eb("period", "<", month), eb("period", ">", month)]),
    ]),
  )
}

function counterKey({ period, subject }: Counter): string {
  return `${period} ${subject}`
}

const read = prepared<{ counters: string }, StoredUse>((value, db) =>
  db
    .selectFrom("limit_count")
    .select(["period", "subject", "used", "until"])
    .where(isOneOf(db, value("counters")))
    .compile(),
)

const add = preparedAhead<{ rows: string }>((value, db) =>
  sql`
    INSERT INTO limit_count (period, subject, used, until)
    SELECT value ->> 'period', value ->> 'subject', CAST(value ->> 'used' AS bigint),
      CAST(value ->> 'until' AS double precision)
    FROM ${eachObject(db, value("rows"))} WHERE true
    ON CONFLICT (period, subject) DO UPDATE
      SET used = limit_count.used + excluded.used, until = excluded.until`.compile(db),
)
