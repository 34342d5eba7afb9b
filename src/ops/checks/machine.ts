import { resolveSoa } from "node:dns/promises"
import { statfsSync } from "node:fs"
import { detail } from "../../base/errors.ts"
import { type Found, failed, ok, warning } from "./check.ts"

const megabyte = 1024 * 1024
/** Under the first a backup or an index no longer fits; under the second every write is at risk. */
const warnedBytes = 1024 * megabyte
const failedBytes = 200 * megabyte

/** `keptFreeBytes`: below that, form posts are refused. */
export function checkDisk(folder: string, keptFreeBytes: number): Found {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const megabytes = Math.floor(freeBytes / megabyte)
  const free = detail("checks.diskFree", { megabytes })
  if (freeBytes < failedBytes) return failed(free)
  if (freeBytes < keptFreeBytes)
    return failed(detail("checks.diskNearlyFull", { megabytes, least: Math.floor(keptFreeBytes / megabyte) }))
  return freeBytes < warnedBytes ? warning(free) : ok(free)
}

/** A name that every resolver on the internet can answer for. */
export async function checkDns(): Promise<Found> {
  try {
    await resolveSoa("fr")
    return ok(detail("checks.namesResolved"))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failed(detail("checks.namesNotResolved", { error: String(code) }))
  }
}
