import { resolveSoa } from "node:dns/promises"
import { statfsSync } from "node:fs"
import { hourMs } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import type { Config } from "../../config/config.ts"
import { lateAfterMs, newestBackup } from "../../jobs/backups.ts"
import type { Authorities } from "../../outbound/authorities.ts"
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

/** Tells of the newest nightly backup. PostgreSQL is backed up by its owner. */
export function checkBackup(
  { backup: { dir }, secrets }: Pick<Config, "backup" | "secrets">,
  nowMs: number,
): CheckResult {
  if (secrets.database) return ok(detail("checks.backupYours"))
  if (dir === undefined) return warning(detail("checks.backupNotSet"))
  const newest = newestBackup(dir)
  if (!newest) return failed(detail("checks.backupNone", { folder: dir }))
  const ageMs = nowMs - newest.atMs
  const hours = Math.max(0, Math.floor(ageMs / hourMs))
  const megabytes = Math.ceil(newest.bytes / megabyte)
  const folder = dir
  return ageMs > lateAfterMs
    ? failed(detail("checks.backupLate", { hours, megabytes, folder }))
    : ok(detail("checks.backupMade", { hours, megabytes, folder }))
}

/** Counts the certificate authorities of this machine, by which servers of others are judged. */
export function checkAuthorities(authorities: Authorities): CheckResult {
  const [count, problem] = [authorities.count(), authorities.problem()]
  if (problem) return warning(problem)
  return count > 0 ? ok(detail("checks.authorities", { count })) : warning(detail("checks.authoritiesNone"))
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
