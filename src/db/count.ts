import type { Db } from "./connection.ts"
import { prepared } from "./prepared.ts"

/** A counter and its day. */
export interface Counted {
  /** `mailbox:<keyed hash>`, `tests:<workspace>`, … */
  subject: string
  /** `2026-11-20`, in the owner's time zone. */
  period: string
}

/** Adds one to a counter; false, and nothing is counted, when it has reached `most`. */
export async function countUpTo(transaction: Db, counted: Counted, most: number): Promise<boolean> {
  const { rows } = await addOne(transaction, { ...counted, most })
  return rows.length > 0
}

/** Adds one to a counter that has no bound here. */
export async function countOne(transaction: Db, counted: Counted): Promise<void> {
  await addOne(transaction, { ...counted, most: Number.MAX_SAFE_INTEGER })
}

const addOne = prepared<Counted & { most: number }, { used: number }>((value, db) =>
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
