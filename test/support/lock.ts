import type { Database } from "bun:sqlite"
import { sql } from "kysely"
import type { Db } from "../../src/db/connection.ts"
import { engine } from "./postgres.ts"
import { eventually } from "./processes.ts"

/**
 * Takes the write lock of a database as another process does, as soon as the service of this one writes
 * nothing.
 */
export async function lock(other: Database): Promise<void> {
  for (;;) {
    try {
      other.run("BEGIN IMMEDIATE")
      return
    } catch {
      await new Promise(setImmediate)
    }
  }
}

/** Resolves once something waits for what a transaction of the test has locked. */
export async function somebodyWaits(db: Db): Promise<void> {
  if (engine === "sqlite") {
    for (let round = 0; round < 10; round++) await new Promise(setImmediate)
    return
  }
  const waiting = sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await eventually(async () => (await waiting.execute(db)).rows.length > 0)
}
