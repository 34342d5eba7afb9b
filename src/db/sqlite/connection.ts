import { Database, SQLiteError } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Kysely } from "kysely"
import { secondMs } from "../../base/clock.ts"
import { type Connection, isWritable } from "../connection.ts"
import type { Schema } from "../schema.ts"
import { sqliteDialect } from "./dialect.ts"
import { openWriter, type Writer } from "./writer.ts"

const lockTimeoutMs = 10 * secondMs
const emptyTries = { count: 100, everyMs: 50 }

/** Opens `guichet.db` of the data folder, and creates it when absent. The caller migrates it before use. */
export function openConnection(dataDir: string): Connection {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(dataDir)
  const writing = new Database(path, { strict: true, create: true })
  // FULL makes every commit wait for the disk, so that whatever is acknowledged is durable.
  pragmas(writing, [
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",
    // 4000 pages (16 MB) instead of 1000: pages that every commit changes are checkpointed less often.
    "wal_autocheckpoint = 4000",
    "foreign_keys = ON",
    // Overwrites deleted data with zeros: SQLite would otherwise leave it in the file until the space is
    // reused.
    "secure_delete = ON",
    // The journal of a savepoint stays in memory: SQLite would otherwise create a file for each one.
    "temp_store = MEMORY",
    "busy_timeout = 0",
  ])
  const reading = new Database(path, { strict: true, readwrite: true })
  pragmas(reading, ["busy_timeout = 5000", "query_only = ON"])
  const writer = openWriter(writing, lockTimeoutMs)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(reading, writing, writer, "commit") })
  const relaxed = new Kysely<Schema>({ dialect: sqliteDialect(reading, writing, writer, "commitLazily") })

  return {
    db,
    relaxed,
    queue: db,
    clock: undefined,
    writable: () => isWritable(db),
    async emptyWal() {
      for (let tries = 0; tries < emptyTries.count; tries++) {
        if (isWalEmptied(writing)) return true
        await Bun.sleep(emptyTries.everyMs)
      }
      return false
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await relaxed.destroy()
      writer.close()
      reading.close()
      writing.close()
    },
  }
}

/** Opens the database for a process that never holds the lock of its writers. Whatever would write is an error. */
export function openReader(dataDir: string): Connection {
  const reading = new Database(databasePath(dataDir), { strict: true, readonly: true })
  pragmas(reading, ["busy_timeout = 5000"])
  const db = new Kysely<Schema>({ dialect: sqliteDialect(reading, reading, noWriter, "commit") })
  return {
    db,
    relaxed: db,
    queue: db,
    clock: undefined,
    writable: async () => false,
    emptyWal: async () => false,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      reading.close()
    },
  }
}

const noWriter: Writer = {
  begin: () => Promise.reject(new Error("this process only reads the database")),
  async commit() {},
  commitLazily() {},
  rollback() {},
  close() {},
}

function isWalEmptied(database: Database): boolean {
  if (database.inTransaction) return false
  try {
    return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0
  } catch (error) {
    // A statement of this connection is not at its end yet: no error of the job, which looks again.
    if (error instanceof SQLiteError && error.code === "SQLITE_LOCKED") return false
    throw error
  }
}

export function databasePath(dataDir: string): string {
  return join(dataDir, "guichet.db")
}

function pragmas(database: Database, settings: string[]): void {
  for (const setting of settings) database.run(`PRAGMA ${setting}`)
}
