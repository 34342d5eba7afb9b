import { resolveSoa } from "node:dns/promises"
import { statfsSync } from "node:fs"
import { type Found, failed, ok, warning } from "./check.ts"

const megabyte = 1024 * 1024
/** Under the first a backup or an index no longer fits; under the second every write is at risk. */
const warnedBytes = 1024 * megabyte
const failedBytes = 200 * megabyte

/** `keptFreeBytes`: below that, form posts are refused. */
export function checkDisk(folder: string, keptFreeBytes: number): Found {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const detail = `${Math.floor(freeBytes / megabyte)} MB free`
  if (freeBytes < failedBytes) return failed(detail)
  if (freeBytes < keptFreeBytes)
    return failed(`${detail}, form posts are refused below ${Math.floor(keptFreeBytes / megabyte)} MB`)
  return freeBytes < warnedBytes ? warning(detail) : ok(detail)
}

/** A name that every resolver on the internet can answer for. */
export async function checkDns(): Promise<Found> {
  try {
    await resolveSoa("fr")
    return ok("names are resolved")
  } catch (error) {
    return failed(`names are not resolved (${(error as NodeJS.ErrnoException).code})`)
  }
}
