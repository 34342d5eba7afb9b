import { Database } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Kysely } from "kysely"
import { secondMs } from "../../base/clock.ts"
import type { Schema } from "../schema.ts"
import { sqliteDialect } from "./dialect.ts"
import { openWriter } from "./writer.ts"

export type Db = Kysely<Schema>

export interface Connection extends AsyncDisposable {
  db: Db
  /** The same, for what may be lost with the machine's power: a write does not wait for the disk. */
  passing: Db
  /** Tells that the database can be written to: false when the disk is full, read-only or gone. */
  writable(): Promise<boolean>
  /**
   * Empties the write-ahead log into the database: what was erased since stands in it until then. False: for
   * five seconds there was always somebody who read or wrote.
   */
  emptyWal(): Promise<boolean>
}

const lockTimeoutMs = 10 * secondMs
const emptyTries = { count: 100, everyMs: 50 }

/** Opens `guichet.db` of the data folder, made when absent; the caller migrates it before use. */
export function openConnection(dataDir: string): Connection {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(dataDir)
  const writing = new Database(path, { strict: true, create: true })
  // What is acknowledged is on the disk: FULL makes every commit wait for it.
  pragmas(writing, [
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",
    // 16 MB: pages that change in every commit are then copied to the database a quarter as often.
    "wal_autocheckpoint = 4000",
    "foreign_keys = ON",
    // What is erased is overwritten: SQLite would otherwise leave its text in the file until the space is
    // needed.
    "secure_delete = ON",
    // A transaction of a group keeps what it changes until it is released: in memory, not in a file made for
    // it each time.
    "temp_store = MEMORY",
    "busy_timeout = 0",
  ])
  const reading = new Database(path, { strict: true, readwrite: true })
  pragmas(reading, ["busy_timeout = 5000", "query_only = ON"])
  const writer = openWriter(writing, lockTimeoutMs)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(reading, writing, writer, "commit") })
  const passing = new Kysely<Schema>({ dialect: sqliteDialect(reading, writing, writer, "leave") })

  return {
    db,
    passing,
    async writable() {
      try {
        await db
          .updateTable("probe")
          .set((row) => ({ writes: row("writes", "+", 1) }))
          .execute()
        return true
      } catch {
        return false
      }
    },
    async emptyWal() {
      for (let tries = 0; tries < emptyTries.count; tries++) {
        if (isWalEmptied(writing)) return true
        await Bun.sleep(emptyTries.everyMs)
      }
      return false
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await passing.destroy()
      writer.close()
      reading.close()
      writing.close()
    },
  }
}

function isWalEmptied(database: Database): boolean {
  if (database.inTransaction) return false
  return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0
}

export function databasePath(dataDir: string): string {
  return join(dataDir, "guichet.db")
}

function pragmas(database: Database, settings: string[]): void {
  for (const setting of settings) database.run(`PRAGMA ${setting}`)
}
