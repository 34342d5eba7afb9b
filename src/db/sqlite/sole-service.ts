import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { UsageError } from "../../base/errors.ts"
import { takeLock } from "./lock.ts"

const lockName = "serve"

/**
 * Keeps every other service out of a data folder, until disposed of: two on one SQLite database would both send what
 * is due, and two nodes would clear away each other's indexes. Throws UsageError that names the one which has it.
 */
export function holdFolder(dataDir: string): Disposable {
  const note = join(dataDir, "locks", `${lockName}.pid`)
  const lock = takeLock(dataDir, lockName)
  if (!lock)
    throw new UsageError(
      `${holderIn(note)} serves from the data folder ${dataDir} already: stop that one, or give this one a folder of its own (GUICHET_DATA_DIR)`,
    )
  // A link in its place is not followed.
  rmSync(note, { force: true })
  writeFileSync(note, `${process.pid} ${hostname()}\n`, { mode: 0o600, flag: "wx" })
  return lock
}

function holderIn(note: string): string {
  try {
    const [, pid, host] = /^(\d{1,10}) (\S{1,255})\n$/.exec(readFileSync(note, "utf8")) ?? []
    if (pid) return host === hostname() ? `process ${pid}` : `process ${pid} of ${host}`
  } catch {
    // The holder is about to write it.
  }
  return "another process"
}
