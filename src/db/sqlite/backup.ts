import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Refusal } from "../../base/errors.ts"
import { databasePath } from "./connection.ts"
import { putInPlace, unfinishedBeside } from "./durable-file.ts"
import { damageOf } from "./integrity.ts"
import { databaseTrouble } from "./trouble.ts"

/**
 * Copies the database of a data folder as it is at this moment, while the service runs; overwrites nothing.
 * Synchronous: for a process of its own. Throws Refusal; then nothing is left of it.
 */
export function backUp(dataDir: string, file: string): void {
  const path = databasePath(dataDir)
  if (!existsSync(path)) throw new Refusal("not_found", "", { reason: `there is no database in ${dataDir}` })
  requireFree(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyChecked(path, file)
}

/** Throws Refusal `conflict` when there is such a file. */
export function requireFree(file: string): void {
  if (existsSync(file))
    throw new Refusal("conflict", "", { reason: `${file} exists already: nothing is overwritten` })
}

/**
 * Copies a database: read through, checked, on the disk and only then under its name (mode 0600). Throws
 * Refusal or UsageError.
 */
export function copyChecked(path: string, file: string): void {
  using unfinished = unfinishedBeside(file)
  // Empty, so that SQLite takes it, and nobody else's from the first byte on.
  writeFileSync(unfinished.path, "", { mode: 0o600, flag: "wx" })
  copy(path, unfinished.path)
  const [damage] = damageOf(unfinished.path)
  if (damage !== undefined)
    throw new Refusal("unavailable", "", {
      reason: `the copy of ${path} is damaged, and was thrown away: ${damage}`,
    })
  putInPlace(unfinished.path, file)
}

function copy(path: string, target: string): void {
  try {
    using database = new Database(path, { strict: true, readwrite: true })
    database.run("PRAGMA busy_timeout = 10000")
    database.query("VACUUM INTO ?").run(target)
  } catch (error) {
    throw databaseTrouble(error, path)
  }
}
