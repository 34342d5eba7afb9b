import { Database } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { secondMs } from "../../base/clock.ts"
import { isBusy } from "./explain-error.ts"

/** A process that only probes a lock (`isVersionLocked`) holds it for a moment. */
const shareWithinMs = 5 * secondMs
const shareEveryMs = 50

/**
 * Takes an exclusive lock among all processes that use the data folder; undefined when another one holds it.
 * The lock is SQLite's file lock, held by a transaction that never ends. The kernel releases it when the
 * process dies, so there is neither a lease to renew nor a dead holder to wait for.
 */
export function takeLock(dataDir: string, name: string): Disposable | undefined {
  return take(dataDir, name, (database) => database.run("BEGIN EXCLUSIVE"))
}

/**
 * Takes the lock in shared mode; undefined when another process holds it exclusively for `shareWithinMs`. The event
 * loop runs meanwhile.
 */
export async function shareLock(dataDir: string, name: string): Promise<Disposable | undefined> {
  const endsAtMs = performance.now() + shareWithinMs
  for (;;) {
    const lock = take(dataDir, name, (database) => {
      database.run("BEGIN")
      database.query("SELECT count(*) FROM sqlite_schema").get()
    })
    if (lock || performance.now() > endsAtMs) return lock
    await Bun.sleep(shareEveryMs)
  }
}

function take(dataDir: string, name: string, lock: (database: Database) => void): Disposable | undefined {
  const folder = join(dataDir, "locks")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new Database(join(folder, `${name}.lock`), { create: true })
  try {
    lock(database)
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
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

/** Keeps the databases reachable: the garbage collector would close them and release their locks. */
const held = new Set<Database>()
