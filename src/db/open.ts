import { secondMs } from "../base/clock.ts"
import { Refusal } from "../base/errors.ts"
import type { Connection, HeldDatabase, Lock, Migrated } from "./connection.ts"
import { versions } from "./migrations/versions.ts"
import type { Server } from "./postgres/client.ts"
import { openConnection as openPostgres } from "./postgres/connection.ts"
import { takeLock as takePostgresLock } from "./postgres/lock.ts"
import { migrate as migratePostgres } from "./postgres/migrate.ts"
import { forgetMoved as forgetPostgresMoved, markMoved as markPostgresMoved } from "./postgres/moved.ts"
import { holdVersionLock as holdPostgresLock } from "./postgres/version-lock.ts"
import { openReader, openConnection as openSqlite } from "./sqlite/connection.ts"
import { isLocked } from "./sqlite/explain-error.ts"
import { refuseDamage } from "./sqlite/integrity.ts"
import { takeLock as takeSqliteLock } from "./sqlite/lock.ts"
import { migrate as migrateSqlite } from "./sqlite/migrate.ts"
import { forgetMoved as forgetMovedHere, markMoved as markMovedHere, refuseMoved } from "./sqlite/moved.ts"
import { holdVersionLock as holdSqliteLock } from "./sqlite/version-lock.ts"
import { type SendWrite, sendWrites } from "./writes.ts"

/** Where the database is: a PostgreSQL server, or the SQLite file of the data folder. */
export interface Location {
  dataDir: string
  server: Server | undefined
}

/** Where the database of these settings is. */
export function databaseLocation({ dataDir, secrets }: SettingsOfDatabase): Location {
  return { dataDir, server: secrets.database }
}

interface SettingsOfDatabase {
  dataDir: string
  secrets: { database: Location["server"] }
}

/**
 * Migrates the database to this program's version and opens it. Throws Refusal or UsageError. With `sendWrite`, the
 * process that it goes to has migrated it, and this one only reads.
 */
export async function openDatabase(
  { dataDir, server }: Location,
  sendWrite?: SendWrite,
): Promise<{ connection: Connection; migrated: Migrated }> {
  if (sendWrite) {
    const connection = openReader(dataDir)
    sendWrites(connection.db, sendWrite)
    return { migrated: { from: 0, to: 0 }, connection }
  }
  if (server) return { migrated: await migratePostgres(server), connection: await openPostgres(server) }
  return { migrated: await migrateOnceFree(dataDir), connection: openSqlite(dataDir) }
}

const lockTimeoutMs = 10 * secondMs
const lockEveryMs = 50

/** Waits for another program's lock on the event loop: a service answers probes meanwhile. */
async function migrateOnceFree(dataDir: string): Promise<Migrated> {
  const endsAtMs = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return migrateSqlite(dataDir)
    } catch (error) {
      if (!isLocked(error) || performance.now() > endsAtMs) throw error
    }
    await Bun.sleep(lockEveryMs)
  }
}

/**
 * Takes an exclusive lock, until it is disposed of or its holder dies: of a machine that was cut off, within 15
 * seconds. Undefined when another process holds it.
 */
export async function takeLock({ dataDir, server }: Location, name: string): Promise<Lock | undefined> {
  if (server) return takePostgresLock(server, name)
  const lock = takeSqliteLock(dataDir, name)
  const never = new AbortController()
  return lock && { lost: never.signal, [Symbol.asyncDispose]: async () => lock[Symbol.dispose]() }
}

/**
 * To be held by a running service: meanwhile no newer program migrates the database. Throws UsageError when the
 * database is damaged, migrated by a newer program or moved elsewhere, Refusal while it is being migrated or moved.
 */
export async function holdDatabase({ dataDir, server }: Location): Promise<HeldDatabase> {
  if (server) return holdPostgresLock(server, versions.postgres.current)
  refuseDamage(dataDir)
  const lock = await holdSqliteLock(dataDir, versions.sqlite.current)
  if (!lock)
    throw new Refusal("unavailable", "", {
      reason: `guichet move works with ${dataDir}: wait until it has ended`,
    })
  try {
    refuseMoved(dataDir)
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
  return { superseded: new Promise(() => {}), [Symbol.asyncDispose]: async () => lock[Symbol.dispose]() }
}

/** Marks a database as moved elsewhere: no service starts with it before `forgetMoved`. */
export async function markMoved({ dataDir, server }: Location, nowMs: number): Promise<void> {
  if (server) await markPostgresMoved(server, nowMs)
  else markMovedHere(dataDir, nowMs)
}

export async function forgetMoved({ dataDir, server }: Location): Promise<void> {
  if (server) await forgetPostgresMoved(server)
  else forgetMovedHere(dataDir)
}
