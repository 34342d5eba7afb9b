import { sql } from "kysely"
import type { Schema } from "../../../src/db/schema.ts"
import { engineOf } from "../../../src/db/words.ts"
import type { World } from "../world.ts"
import type { WorstIds } from "./ids.ts"
import { type WorstRows, worstRows } from "./rows.ts"

/** Of one statement. SQLite takes 32,766 values. */
const most = { values: 30_000, rows: 200 }

/** Lays the worst legal rows of every table into the workspace of the world. */
export async function fillWorst(world: World, ids: WorstIds): Promise<void> {
  const rows = worstRows(ids)
  for (const table of Object.keys(rows) as (keyof WorstRows)[]) {
    const worst = rows[table]
    if (typeof worst !== "string") await fillTable(world, table, worst)
  }
  const { db } = world.app
  // The server does it by itself after a while.
  if (engineOf(db) === "postgres")
    await db.transaction().execute((transaction) => sql`ANALYZE`.execute(transaction))
}

async function fillTable<Table extends keyof Schema>(
  { app: { db } }: World,
  table: Table,
  { rows, row }: Exclude<WorstRows[Table], string>,
): Promise<void> {
  const { number: _, ...base } = {
    ...(await db
      .selectFrom(table as "workspace")
      .selectAll()
      .limit(1)
      .executeTakeFirst()),
  } as Record<string, unknown>
  const atOnce = Math.min(most.rows, Math.floor(most.values / Object.keys({ ...base, ...row(0) }).length))
  for (let from = 0; from < rows; from += atOnce) {
    const values = Array.from({ length: Math.min(atOnce, rows - from) }, (_, at) => ({
      ...base,
      ...row(from + at),
    }))
    await db
      .insertInto(table as "project")
      .values(values as never)
      .execute()
  }
}
