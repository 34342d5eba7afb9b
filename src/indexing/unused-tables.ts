import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { type Clock, hourMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { write } from "../db/writes.ts"
import { archivePrefix, dropIndex, isComplete, listIndexes } from "../index/lance/index-files.ts"
import { isAbandoned, newestBefore, replacedKeptMs, tableName } from "./generation.ts"

/**
 * Drops unused tables: those of no generation (a project that was removed), of an abandoned one, and of one that
 * was replaced a while ago. It is safe beside a run, which stores its generation before it builds the table.
 * `inUse`: names that this process has open. With archives, the newest table of a project whose live one is not
 * here stays: it answers until the other one is.
 */
export async function dropUnusedTables(
  deps: { db: Db; clock: Clock; indexDir: string; archives?: object | undefined },
  inUse: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { db, clock, indexDir, archives } = deps
  const tables = await listIndexes(indexDir)
  await forgetReplaced(db, clock.now() - replacedKeptMs)
  const rows = await db
    .selectFrom("generation")
    .select(["project_id", "number", "replaced_at", "checksum", "live"])
    .execute()
  const nameOf = ({ project_id, number }: (typeof rows)[number]) => tableName(project_id, number)
  const abandoned = new Set(rows.filter(isAbandoned).map(nameOf))
  const used = rows.filter(
    ({ replaced_at }) => replaced_at === null || replaced_at >= clock.now() - replacedKeptMs,
  )
  const names = new Set(used.map(nameOf)).difference(abandoned)
  const complete = tables.filter((table) => isComplete(indexDir, table) && !abandoned.has(table))
  if (archives)
    for (const { project_id, number } of rows.filter(({ live }) => live === 1))
      if (!complete.includes(tableName(project_id, number)))
        names.add(tableName(project_id, newestBefore(number, project_id, complete) ?? number))
  await dropLeftovers(indexDir, clock.now() - leftoverMs)
  for (const table of tables) if (!names.has(table) && !inUse.has(table)) await dropIndex(indexDir, table)
}

/** Longer than any archive is packed or fetched. */
const leftoverMs = hourMs

/** Deletes archives, and folders that they were unpacked in, of processes that died over them. */
async function dropLeftovers(indexDir: string, beforeMs: number): Promise<void> {
  for (const entry of await readdir(indexDir).catch(() => [])) {
    if (!entry.startsWith(archivePrefix)) continue
    const path = join(indexDir, entry)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < beforeMs) await rm(path, { recursive: true, force: true })
  }
}

/** Deletes old generations, but keeps the last of each project so that no number is used twice. */
export const forgetReplaced = write("forgetReplaced", async (db: Db, beforeMs: number): Promise<void> => {
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
})
