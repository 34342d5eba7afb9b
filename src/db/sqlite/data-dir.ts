import { accessSync, constants, mkdirSync, statSync } from "node:fs"
import { UsageError } from "../../base/errors.ts"

/**
 * Makes sure of the data folder, made when absent, before anything is written to it. Throws UsageError, one
 * line, when it cannot be made, is not a folder, cannot be written to, or belongs to somebody else.
 */
export function claimDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST" || code === "ENOTDIR")
      throw new UsageError(`the data folder ${dataDir} is not a folder`)
    throw new UsageError(
      `the data folder ${dataDir} cannot be made (${code}): set GUICHET_DATA_DIR to one of your own`,
    )
  }
  const owner = statSync(dataDir).uid
  const self = process.getuid?.() ?? owner
  // What root writes there the service could not open afterwards.
  if (self === 0 && owner !== 0)
    throw new UsageError(
      `the data folder ${dataDir} belongs to user ${owner}, not to root: run the command as that user (sudo -u '#${owner}' …)`,
    )
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === "EROFS" ? "the disk is read-only" : reasonOf(owner, self)
    throw new UsageError(`the data folder ${dataDir} cannot be written to: ${reason}`)
  }
}

function reasonOf(owner: number, self: number): string {
  if (owner === self) return "its permissions forbid it (chmod u+rwx gives them back)"
  return `it belongs to user ${owner}, the program runs as ${self} (sudo runs it as the right one)`
}
