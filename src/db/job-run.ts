import type { Db } from "./sqlite/connection.ts"

/** When something that comes again was last begun, by whichever process; undefined: never. */
export async function lastRun(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom("job").select("last_run_at").where("name", "=", name).executeTakeFirst()
  return row?.last_run_at
}

/** As if the run that `markRun` remembered had not begun: `before` is what `lastRun` said then. */
export async function unmarkRun(db: Db, name: string, before: number | undefined): Promise<void> {
  if (before === undefined) await db.deleteFrom("job").where("name", "=", name).execute()
  else await markRun(db, name, before)
}

/** Remembered when a run begins: one that kills the process is not begun again and again. */
export async function markRun(db: Db, name: string, nowMs: number): Promise<void> {
  await db
    .insertInto("job")
    .values({ name, last_run_at: nowMs })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ last_run_at: nowMs }))
    .execute()
}
