import { accessSync, constants, mkdirSync, statSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { Refusal, UsageError } from "../../base/errors.ts"
import type { Log } from "../../base/log.ts"

/**
 * Creates the data folder when absent, and checks it before anything is written. Throws UsageError, of one
 * line, when it is not a folder, or belongs to another user while root runs. Throws Refusal `unavailable` when it
 * cannot be created or written to: its disk may be full, read-only, or not mounted yet.
 */
export function claimDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST" || code === "ENOTDIR")
      throw new UsageError(`the data folder ${dataDir} is not a folder`)
    throw unusable(
      `the data folder ${dataDir} cannot be made: ${code === "EROFS" ? readOnly : `${code}, set GUICHET_DATA_DIR to one of your own`}`,
      error,
    )
  }
  const owner = statSync(dataDir).uid
  const self = process.getuid?.() ?? owner
  // The service could not open files that root creates there.
  if (self === 0 && owner !== 0)
    throw new UsageError(
      `the data folder ${dataDir} belongs to user ${owner}, not to root: run the command as that user (sudo -u '#${owner}' …)`,
    )
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === "EROFS" ? readOnly : ownerAdvice(owner, self)
    throw unusable(`the data folder ${dataDir} cannot be written to: ${reason}`, error)
  }
}

/** The unit of systemd makes every folder read-only that it does not name. */
const readOnly =
  "the disk is read-only, or is made so by systemd (ProtectSystem=strict: name the folder in ReadWritePaths= of a drop-in)"

function unusable(reason: string, cause: unknown): Refusal {
  return new Refusal("unavailable", "", { reason, cause })
}

function ownerAdvice(owner: number, self: number): string {
  if (owner === self) return "its permissions forbid it (chmod u+rwx gives them back)"
  return `it belongs to user ${owner}, the program runs as ${self} (sudo runs it as the right one)`
}

/** Free bytes on the disk of a folder; infinite when the file system does not tell. */
async function freeDiskBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Whether there is room, and a log line when form posts begin to be refused and when they are taken again. */
export function diskSpaceCheck(
  { dataDir, minFreeDiskBytes }: { dataDir: string; minFreeDiskBytes: number },
  log: Log,
): () => Promise<boolean> {
  let hadSpace = true
  return async () => {
    const freeBytes = minFreeDiskBytes === 0 ? Number.POSITIVE_INFINITY : await freeDiskBytes(dataDir)
    const hasSpace = freeBytes >= minFreeDiskBytes
    if (hadSpace && !hasSpace)
      log.error("form posts are refused: the disk is nearly full", { freeBytes, minFreeDiskBytes })
    if (hasSpace && !hadSpace)
      log.info("form posts are taken again: there is room on the disk", { freeBytes })
    hadSpace = hasSpace
    return hasSpace
  }
}
