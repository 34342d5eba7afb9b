import type { Db } from "./connection.ts"

/** Time when a recurring job last began, in any process; undefined if it never did. */
export async function lastRun(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom("job").select("last_run_at").where("name", "=", name).executeTakeFirst()
  return row?.last_run_at
}

/** Undoes `markRun`. `before` is the result of `lastRun` before it. */
export async function unmarkRun(db: Db, name: string, before: number | undefined): Promise<void> {
  if (before === undefined) await db.deleteFrom("job").where("name", "=", name).execute()
  else await markRun(db, name, before)
}

/** Stores the start of a run. Not its end, so that a job that kills the process does not restart forever. */
export async function markRun(db: Db, name: string, nowMs: number): Promise<void> {
  await db
    .insertInto("job")
    .values({ name, last_run_at: nowMs })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ last_run_at: nowMs }))
    .execute()
}
