import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { copyChecked } from "./backup.ts"
import { databasePath } from "./connection.ts"
import { explainError } from "./explain-error.ts"
import { damageOf, versionOf } from "./integrity.ts"
import { first } from "./migrations/0001-first.ts"
import { webhooks } from "./migrations/0002-webhooks.ts"
import { forms } from "./migrations/0003-forms.ts"
import { scripts } from "./migrations/0004-scripts.ts"
import { answers } from "./migrations/0005-answers.ts"
import { lookups } from "./migrations/0006-lookups.ts"
import { askedIndexing } from "./migrations/0007-asked-indexing.ts"
import { dueDeliveries } from "./migrations/0008-due-deliveries.ts"
import { failures } from "./migrations/0009-failures.ts"
import { addresses } from "./migrations/0010-addresses.ts"
import { invitations } from "./migrations/0011-invitations.ts"
import { limits } from "./migrations/0012-limits.ts"
import { unfinishedReadings } from "./migrations/0013-unfinished-readings.ts"
import { codes } from "./migrations/0014-codes.ts"
import { related } from "./migrations/0015-related.ts"
import { synonyms } from "./migrations/0016-synonyms.ts"
import { siteGenerators } from "./migrations/0017-generators.ts"
import { pieces } from "./migrations/0018-pieces.ts"
import { workspaceNumber } from "./migrations/0019-workspace-number.ts"
import { archives } from "./migrations/0020-archives.ts"
import { nodes } from "./migrations/0021-nodes.ts"
import { widget } from "./migrations/0022-widget.ts"
import { formPages } from "./migrations/0023-form-pages.ts"
import { destinations } from "./migrations/0024-destinations.ts"
import { inbox } from "./migrations/0025-inbox.ts"
import { questions } from "./migrations/0026-questions.ts"
import { pagePatterns } from "./migrations/0027-page-patterns.ts"
import { erasable } from "./migrations/0028-erasable.ts"
import { htmlNotes } from "./migrations/0029-html-notes.ts"
import { retention } from "./migrations/0030-retention.ts"
import { gaps } from "./migrations/0031-gaps.ts"
import { isVersionLocked } from "./version-lock.ts"

/** In order. A published migration is never edited or moved; a new one follows. */
export const migrations: readonly string[] = [
  first,
  webhooks,
  forms,
  scripts,
  answers,
  lookups,
  askedIndexing,
  dueDeliveries,
  failures,
  addresses,
  invitations,
  limits,
  unfinishedReadings,
  codes,
  related,
  synonyms,
  siteGenerators,
  pieces,
  workspaceNumber,
  archives,
  nodes,
  widget,
  formPages,
  destinations,
  inbox,
  questions,
  pagePatterns,
  erasable,
  htmlNotes,
  retention,
  gaps,
]

export interface Migrated {
  /** Versions of the database before and after. */
  from: number
  to: number
  /** Path of the copy made before an existing database was changed. */
  backup: string | undefined
}

/**
 * Migrates the database of the data folder to this program's version, after a checked copy of it. Each step
 * is a transaction of its own. Throws UsageError for a database written by a newer program; throws Refusal, at once,
 * while an older service uses it or another program writes to it, and when the copy fails or is damaged. Then nothing
 * is changed.
 */
export function migrate(dataDir: string, steps: readonly string[] = migrations): Migrated {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(dataDir)
  try {
    return applySteps(dataDir, steps)
  } catch (error) {
    throw explainError(error, path)
  }
}

function applySteps(dataDir: string, steps: readonly string[]): Migrated {
  const path = databasePath(dataDir)
  using database = new Database(path, { strict: true, create: true })
  database.run("PRAGMA journal_mode = WAL")
  // A step that moves data must not leave a copy in free pages, which an erasure would miss.
  database.run("PRAGMA secure_delete = ON")
  const from = version(database)
  if (from > steps.length) {
    throw new UsageError(
      `${path} was written by a newer Guichet (database version ${from}, this program knows ${steps.length}): install that version again, or restore an older backup`,
    )
  }
  if (from > 0 && from < steps.length && isVersionLocked(dataDir, from)) {
    throw new Refusal("unavailable", "", {
      reason: `a service of an older Guichet works with ${path}: restart it first (systemctl restart guichet), which brings the database up`,
    })
  }
  if (from < steps.length) requireUnlocked(database)
  // Commands write in short transactions.
  database.run("PRAGMA busy_timeout = 10000")
  const backup =
    from > 0 && from < steps.length ? keepCopy(path, from, `${path}.before-${steps.length}`) : undefined
  for (let step = from; step < steps.length; step++) apply(database, step, steps[step] as string)
  return { from, to: steps.length, backup }
}

/** Comes before the copy, which would be made in vain while another program writes. */
function requireUnlocked(database: Database): void {
  database.run("BEGIN IMMEDIATE")
  database.run("ROLLBACK")
}

/** Re-reads the version under the lock, since another process may be migrating at the same time. */
function apply(database: Database, step: number, sql: string): void {
  database
    .transaction(() => {
      if (version(database) !== step) return
      database.run(sql)
      database.run(`PRAGMA user_version = ${step + 1}`)
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
  return damageOf(copy).length === 0 && versionOf(copy) < from
}

const copyRetentionMs = 30 * dayMs

/** Deletes copies older than `copyRetentionMs`: they still hold personal data that was erased since. */
export function removeOldCopies(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir).filter((one) => /^guichet\.db\.before-\d+$/.test(one))) {
    const copy = join(dataDir, name)
    if (statSync(copy).mtimeMs < nowMs - copyRetentionMs) rmSync(copy, { force: true })
  }
}

function version(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version
}
