import { Database } from "bun:sqlite"

/** What SQLite finds wrong in a database file, at most ten things; none when it is sound. Reads all of it, which stops the event loop. */
export function damageOf(path: string): string[] {
  try {
    using database = new Database(path, { readonly: true })
    const rows = database.query("PRAGMA integrity_check(10)").all() as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).filter((found) => found !== "ok")
  } catch (error) {
    return [(error as Error).message]
  }
}

/** How many migrations a database file has seen. Throws when it is none. */
export function versionOf(path: string): number {
  using database = new Database(path, { readonly: true })
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version
}
