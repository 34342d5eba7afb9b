import { Refusal } from "../../base/errors.ts"
import { explainError as explainPostgres } from "../../db/postgres/explain-error.ts"
import { explainError as explainSqlite } from "../../db/sqlite/explain-error.ts"
import { inEnglish } from "../../wording/english.ts"
import { systemFailure } from "../kit/system-failure.ts"

/** Codes of the system for a disk, a folder or a machine that is not as it should be at the moment. */
const passingCodes =
  /^E(?:NOSPC|DQUOT|ROFS|IO|ACCES|PERM|NOENT|STALE|NODEV|NXIO|BUSY|AGAIN|MFILE|NFILE|NOMEM|TIMEDOUT|HOSTDOWN)$/

/**
 * Decides which errors a start waits out, and gives the reason as a sentence: a database, a disk, a lock or a port that
 * is not there may come while the program and its settings stay as they are. Undefined for all others, which are
 * thrown: bad settings, another key, damaged data or data of a newer program (UsageError), and defects.
 */
export function passingReason(error: unknown): string | undefined {
  const explained = explainPostgres(explainSqlite(error, "the database"))
  if (explained instanceof Refusal)
    return explained.code === "unavailable" ? inEnglish(explained.reason) : undefined
  const { code } = (explained ?? {}) as NodeJS.ErrnoException
  return explained instanceof Error && passingCodes.test(String(code)) ? systemFailure(explained) : undefined
}
