import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import type { Migrated } from "../connection.ts"
import { type Step, stepsFrom, type Versions, versions } from "../migrations/versions.ts"
import { copyChecked } from "./backup.ts"
import { databasePath } from "./connection.ts"
import { removeUnfinished } from "./durable-file.ts"
import { explainError } from "./explain-error.ts"
import { fileVersion, findDamage, versionIn } from "./integrity.ts"
import { isVersionLocked } from "./version-lock.ts"

/**
 * Migrates the database of the data folder to this program's version, after a checked copy of it. Each step
 * is a transaction of its own. Throws UsageError for a database written by a newer program, and for one that is too
 * old; throws Refusal, at once, while an older service uses it or another program writes to it, and when the copy fails
 * or is damaged. Then nothing is changed.
 */
export function migrate(dataDir: string, known: Versions = versions.sqlite): Migrated {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(dataDir)
  // A copy that was never whole holds what visitors wrote, and no erasure reaches it.
  removeUnfinished(dataDir, /^guichet\.db(?:\.before-\d+)?$/)
  try {
    return applySteps(dataDir, known)
  } catch (error) {
    throw explainError(error, path)
  }
}

function applySteps(dataDir: string, known: Versions): Migrated {
  const path = databasePath(dataDir)
  using database = new Database(path, { strict: true, create: true })
  const from = versionIn(database)
  const steps = stepsFrom(known, from, path)
  database.run("PRAGMA journal_mode = WAL")
  // A step that moves data must not leave a copy in free pages, which an erasure would miss.
  database.run("PRAGMA secure_delete = ON")
  const isOlder = from > 0 && steps.length > 0
  if (isOlder && isVersionLocked(dataDir, from)) {
    throw new Refusal("unavailable", "", {
      reason: `a service of an older Guichet works with ${path}: restart it first (systemctl restart guichet), which brings the database up`,
    })
  }
  if (steps.length > 0) requireUnlocked(database)
  // Commands write in short transactions.
  database.run("PRAGMA busy_timeout = 10000")
  const backup = isOlder ? keepCopy(path, from, `${path}.before-${known.current}`) : undefined
  for (const step of steps) apply(database, step)
  return { from, to: known.current, backup }
}

/** Comes before the copy, which would be made in vain while another program writes. */
function requireUnlocked(database: Database): void {
  database.run("BEGIN IMMEDIATE")
  database.run("ROLLBACK")
}

/** Re-reads the version under the lock, since another process may be migrating at the same time. */
function apply(database: Database, { from, to, sql }: Step): void {
  database
    .transaction(() => {
      if (versionIn(database) !== from) return
      if (sql) database.run(sql)
      database.run(`PRAGMA user_version = ${to}`)
    })
    .immediate()
}

/**
 * Copies the database before the migration. Keeps an existing copy of an older version than `from`: a
 * migration stopped half-way after making it, and the database is no longer what it was. Replaces a copy of
 * the same version, which may be from another day.
 */
function keepCopy(path: string, from: number, copy: string): string {
  if (existsSync(copy) && isSoundBefore(from, copy)) return copy
  rmSync(copy, { force: true })
  copyChecked(path, copy)
  return copy
}

function isSoundBefore(from: number, copy: string): boolean {
  return findDamage(copy).length === 0 && fileVersion(copy) < from
}

const copyRetentionMs = 30 * dayMs

/** Deletes copies older than `copyRetentionMs`: they still hold personal data that was erased since. */
export function removeOldCopies(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir).filter((one) => /^guichet\.db\.before-\d+$/.test(one))) {
    const copy = join(dataDir, name)
    if (statSync(copy).mtimeMs < nowMs - copyRetentionMs) rmSync(copy, { force: true })
  }
}
