import { Refusal, UsageError } from "../../base/errors.ts"

/**
 * What stops SQLite from opening or writing a database, in words that say what to do. Anything else is given
 * back as it is.
 */
export function databaseTrouble(error: unknown, path: string): unknown {
  const code = String((error as { code?: string } | null)?.code)
  const options = { cause: error }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return new UsageError(
      `${path} is damaged or not a database: restore a backup into an empty folder`,
      options,
    )
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code))
    return new UsageError(
      `${path} cannot be opened for writing: check its owner and that the disk is not read-only`,
      options,
    )
  const passing: Record<string, string> = {
    SQLITE_FULL: "the disk is full",
    SQLITE_IOERR: "the disk is full or fails",
    SQLITE_BUSY: "another program holds it",
  }
  const reason = passing[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ""]
  return reason
    ? new Refusal("unavailable", "", { reason: `${path} cannot be used: ${reason}`, ...options })
    : error
}
