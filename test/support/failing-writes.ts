import { sql } from "kysely"
import type { Db } from "../../src/db/connection.ts"
import { engine } from "./postgres.ts"

/**
 * Lets a kind of write fail with « disk full », such as `INSERT ON lease`, or those of it that a condition on NEW or
 * OLD names. The function that it returns lets them succeed again.
 */
export async function failWrites(db: Db, writes: string, condition = "true"): Promise<() => Promise<void>> {
  const run = (statements: readonly string[]) =>
    db.transaction().execute(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction)
    })
  if (engine === "sqlite") {
    await run([
      `CREATE TRIGGER disk_full BEFORE ${writes} WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    ])
    return () => run(["DROP TRIGGER disk_full"])
  }
  await run([
    "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$",
    `CREATE TRIGGER disk_full BEFORE ${writes} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION disk_full()`,
  ])
  return () => run(["DROP FUNCTION disk_full CASCADE"])
}
