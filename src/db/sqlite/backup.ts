import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Refusal } from "../../base/errors.ts"
import { databasePath } from "./connection.ts"
import { putInPlace, unfinishedBeside } from "./durable-file.ts"
import { explainError } from "./explain-error.ts"
import { findDamage } from "./integrity.ts"

/**
 * Copies the database of a data folder to a new file, while the service may be running. Blocks the event
 * loop, so it belongs in a process of its own. Throws Refusal or UsageError, and then leaves no file behind.
 */
export function backUp(dataDir: string, file: string): void {
  const path = databasePath(dataDir)
  if (!existsSync(path)) throw new Refusal("not_found", "", { reason: `there is no database in ${dataDir}` })
  requireFree(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyChecked(path, file)
}

/** Throws Refusal `conflict` when the file exists. */
export function requireFree(file: string): void {
  if (existsSync(file))
    throw new Refusal("conflict", "", { reason: `${file} exists already: nothing is overwritten` })
}

/**
 * Copies a database (mode 0600). The copy is checked and on the disk before it gets its name. Throws Refusal
 * or UsageError.
 */
export function copyChecked(path: string, file: string): void {
  using unfinished = unfinishedBeside(file)
  // Created empty, which `VACUUM INTO` accepts, so that the file is private from the first byte.
  writeFileSync(unfinished.path, "", { mode: 0o600, flag: "wx" })
  copy(path, unfinished.path, file)
  const [damage] = findDamage(unfinished.path)
  if (damage !== undefined)
    throw new Refusal("unavailable", "", {
      reason: `the copy of ${path} is damaged, and was thrown away: ${damage}`,
    })
  putInPlace(unfinished.path, file)
}

/** `file` is the one that the target becomes. */
function copy(path: string, target: string, file: string): void {
  try {
    using database = new Database(path, { strict: true, readwrite: true })
    database.run("PRAGMA busy_timeout = 10000")
    database.query("VACUUM INTO ?").run(target)
  } catch (error) {
    // The disk that the copy is written to.
    const isFull = (error as { code?: string }).code === "SQLITE_FULL"
    throw explainError(error, isFull ? file : path)
  }
}
