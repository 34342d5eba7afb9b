import type { Clock } from "../../base/clock.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { dropIndex, listIndexes } from "../index/lance.ts"
import { replacedKeptMs, tableName } from "./generation.ts"

/**
 * Drops the tables that nobody can be reading: those no generation names (a run that died, a project that was
 * removed) and those replaced a while ago. Safe beside a run, which names its generation before it builds the
 * table.
 */
export async function dropUnusedTables(tools: { db: Db; clock: Clock; indexDir: string }): Promise<void> {
  const { db, clock, indexDir } = tools
  const tables = await listIndexes(indexDir)
  await forgetReplaced(db, clock.now() - replacedKeptMs)
  const rows = await db.selectFrom("generation").select(["project_id", "number", "replaced_at"]).execute()
  const used = rows.filter(
    ({ replaced_at }) => replaced_at === null || replaced_at >= clock.now() - replacedKeptMs,
  )
  const names = new Set(used.map(({ project_id, number }) => tableName(project_id, number)))
  for (const table of tables) if (!names.has(table)) await dropIndex(indexDir, table)
}

/** Each project keeps its last number, so that no number ever answers for two indexes. */
async function forgetReplaced(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom("generation")
    .where("replaced_at", "<", beforeMs)
    .where("number", "<", (select) =>
      select
        .selectFrom("generation as later")
        .select(({ fn }) => fn.max("later.number").as("last"))
        .whereRef("later.project_id", "=", "generation.project_id"),
    )
    .execute()
}
