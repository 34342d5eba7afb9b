import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { UsageError } from "../../base/errors.ts"
import { databasePath } from "./connection.ts"

/** Reading a larger database would delay the start too long. `guichet check` reads it whatever its size. */
const maxBytesAtStart = 512 * 1024 * 1024

/**
 * Throws UsageError when the database of the data folder is damaged. Otherwise visitors would run into the
 * damage, page by page.
 */
export function refuseDamage(dataDir: string): void {
  const path = databasePath(dataDir)
  if (statSync(path).size > maxBytesAtStart) return
  if (firstDamage(path) !== "ok")
    throw new UsageError(`${path} is damaged: restore a backup into an empty folder`)
}

function firstDamage(path: string): string {
  try {
    using database = new Database(path, { readwrite: true })
    database.run("PRAGMA busy_timeout = 5000")
    return (database.query("PRAGMA quick_check(1)").get() as { quick_check: string }).quick_check
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith("SQLITE_CORRUPT")) return "unreadable"
    throw error
  }
}

/**
 * Returns at most ten faults that SQLite finds in a database file; none when it is sound. Reads the whole
 * file and blocks the event loop.
 */
export function findDamage(path: string): string[] {
  try {
    using database = new Database(path, { readonly: true })
    const rows = database.query("PRAGMA integrity_check(10)").all() as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).filter((found) => found !== "ok")
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Number of migrations applied to a database file. Throws when it is not a database. */
export function fileVersion(path: string): number {
  using database = new Database(path, { readonly: true })
  return versionIn(database)
}

export function versionIn(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version
}
