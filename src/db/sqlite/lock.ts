import { Database } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { join } from "node:path"

/**
 * Takes the lock of that name among all processes on the data folder; undefined when somebody holds it.
 * SQLite's own file lock, held by a transaction that never ends: the kernel frees it with the process,
 * however that dies, so there is neither a lease to renew nor a dead holder to wait for.
 */
export function takeLock(dataDir: string, name: string): Disposable | undefined {
  return take(dataDir, name, (database) => database.run("BEGIN EXCLUSIVE"))
}

/**
 * The same, beside others that share it; undefined when somebody goes on holding it alone. Who only looks
 * does so for a moment.
 */
export function shareLock(dataDir: string, name: string): Disposable | undefined {
  return take(dataDir, name, (database) => {
    database.run("PRAGMA busy_timeout = 5000")
    database.run("BEGIN")
    database.query("SELECT count(*) FROM sqlite_schema").get()
  })
}

function take(dataDir: string, name: string, lock: (database: Database) => void): Disposable | undefined {
  const folder = join(dataDir, "locks")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new Database(join(folder, `${name}.lock`), { create: true })
  try {
    lock(database)
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) return undefined
    throw error
  }
  held.add(database)
  return {
    [Symbol.dispose]() {
      held.delete(database)
      database.close()
    },
  }
}

/** A database that nobody refers to is closed by the garbage collector, and its lock would go with it. */
const held = new Set<Database>()
