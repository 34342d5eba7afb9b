import { resolveSoa } from "node:dns/promises"
import { statfsSync } from "node:fs"
import { detail } from "../../base/errors.ts"
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
  const megabytes = Math.floor(freeBytes / megabyte)
  const free = detail("checks.diskFree", { megabytes })
  if (freeBytes < failedBytes) return failed(free)
  if (freeBytes < keptFreeBytes)
    return failed(detail("checks.diskNearlyFull", { megabytes, least: Math.floor(keptFreeBytes / megabyte) }))
  return freeBytes < warnedBytes ? warning(free) : ok(free)
}

/** Looks up the top-level domain `fr`, which every resolver on the internet can. */
export async function checkDns(): Promise<CheckResult> {
  try {
    await resolveSoa("fr")
    return ok(detail("checks.namesResolved"))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failed(detail("checks.namesNotResolved", { error: String(code) }))
  }
}
