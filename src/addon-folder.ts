import { accessSync, constants, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** What the addon takes on the disk, and a little more. */
const neededBytes = 200 * 1024 * 1024

/**
 * The built program unpacks its index engine into a folder and loads it from there, before any line of ours; Bun's own words for a folder
 * where that cannot work lead astray. Undefined when it can.
 */
export function addonFolderTrouble(environment: Record<string, string | undefined>): string | undefined {
  const folder = environment["BUN_TMPDIR"] || environment["TMPDIR"] || "/tmp"
  const trial = join(folder, `.guichet-trial-${process.pid}`)
  const advice = "set BUN_TMPDIR to a folder of the service's own that allows execution"
  try {
    if (!isUnpacked(folder) && freeBytes(folder) < neededBytes)
      return `${folder} has less than ${neededBytes / 1024 / 1024} MB free, which the program needs to unpack a library: ${advice}`
    writeFileSync(trial, "", { mode: 0o700 })
  } catch (error) {
    return `${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}), where the program unpacks a library: ${advice}`
  }
  try {
    accessSync(trial, constants.X_OK)
    return undefined
  } catch {
    return `${folder} forbids execution (noexec), and the program unpacks a library there: ${advice}`
  } finally {
    rmSync(trial, { force: true })
  }
}

function isUnpacked(folder: string): boolean {
  return readdirSync(folder).some((name) => /^\.bun-.*\.node$/.test(name))
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
