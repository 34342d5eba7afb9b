import type { Db } from "./connection.ts"
import { prepared, preparedAhead } from "./prepared.ts"

/** A counter and its day. */
export interface CounterKey {
  /** `mailbox:<keyed hash>`, `tests:<workspace>`, … */
  subject: string
  /** `2026-11-20`, in the owner's time zone. */
  period: string
}

/** Adds one to a counter; false, and nothing is counted, when it has reached `most`. */
export async function countUpTo(transaction: Db, counted: CounterKey, most: number): Promise<boolean> {
  const { rows } = await addOne(transaction, { ...counted, most })
  return rows.length > 0
}

/** Adds one to each of these counters, which have no bound here; one that is named twice gets two. */
export async function countAll(transaction: Db, counters: readonly CounterKey[]): Promise<void> {
  const totals = new Map<string, CounterKey & { count: number }>()
  for (const { subject, period } of counters) {
    const key = `${period} ${subject}`
    totals.set(key, { subject, period, count: (totals.get(key)?.count ?? 0) + 1 })
  }
  // In one order everywhere, so that no two nodes wait for each other.
  for (const key of [...totals.keys()].sort())
    await add(transaction, totals.get(key) as CounterKey & { count: number })
}

const addOne = prepared<CounterKey & { most: number }, { used: number }>((value, db) =>
  db
    .insertInto("limit_count")
    .values({ subject: value("subject"), period: value("period"), used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["subject", "period"])
        .doUpdateSet((row) => ({ used: row("limit_count.used", "+", 1) }))
        .where("limit_count.used", "<", value("most")),
    )
    .returning("used")
    .compile(),
)

const add = preparedAhead<CounterKey & { count: number }>((value, db) =>
  db
    .insertInto("limit_count")
    .values({ subject: value("subject"), period: value("period"), used: value("count") })
    .onConflict((conflict) =>
      conflict
        .columns(["subject", "period"])
        .doUpdateSet((row) => ({ used: row("limit_count.used", "+", row.ref("excluded.used")) })),
    )
    .compile(),
)
