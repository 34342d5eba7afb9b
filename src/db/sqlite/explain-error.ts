import { Refusal, UsageError } from "../../base/errors.ts"

/**
 * Turns an error of SQLite that prevents opening or writing a database into a Refusal or UsageError that says
 * what to do. Returns any other error unchanged.
 */
export function explainError(error: unknown, path: string): unknown {
  const code = String((error as { code?: string } | null)?.code)
  const options = { cause: error }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return new UsageError(
      `${path} is damaged or not a database: restore a backup into an empty folder`,
      options,
    )
  const check = "it cannot be opened for writing: check its owner and that the disk is not read-only"
  const temporary: Record<string, string> = {
    SQLITE_CANTOPEN: check,
    SQLITE_READONLY: check,
    SQLITE_PERM: check,
    SQLITE_FULL: "the disk is full",
    SQLITE_IOERR: "the disk is full or fails",
    SQLITE_BUSY: "another program holds it",
  }
  const reason = temporary[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ""]
  return reason
    ? new Refusal("unavailable", "", { reason: `${path} cannot be used: ${reason}`, ...options })
    : error
}

/** Whether an error of `explainError` says that another program holds the database. */
export function isLocked(error: unknown): boolean {
  return error instanceof Refusal && isBusy(error.cause)
}

/** Whether an error of SQLite says so. */
export function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown } | null | undefined)?.code).startsWith("SQLITE_BUSY")
}
