import { resolveSoa } from "node:dns/promises"
import { statfsSync } from "node:fs"
import { type CheckResult, failed, ok, warning } from "./check.ts"

const megabyte = 1024 * 1024
/** With less free space a backup or an index may not fit. */
const warnedBytes = 1024 * megabyte
/** With less free space every write is at risk. */
const failedBytes = 200 * megabyte

/** `keptFreeBytes`: form posts are refused when less is free. */
export function checkDisk(folder: string, keptFreeBytes: number): CheckResult {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const detail = `${Math.floor(freeBytes / megabyte)} MB free`
  if (freeBytes < failedBytes) return failed(detail)
  if (freeBytes < keptFreeBytes)
    return failed(`${detail}, form posts are refused below ${Math.floor(keptFreeBytes / megabyte)} MB`)
  return freeBytes < warnedBytes ? warning(detail) : ok(detail)
}

/** Looks up the top-level domain `fr`, which every resolver on the internet can. */
export async function checkDns(): Promise<CheckResult> {
  try {
    await resolveSoa("fr")
    return ok("names are resolved")
  } catch (error) {
    return failed(`names are not resolved (${(error as NodeJS.ErrnoException).code})`)
  }
}
