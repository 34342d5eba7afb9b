import { accessSync, constants, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"

type Environment = Record<string, string | undefined>

/** What the addon takes on the disk, and a little more. */
const neededBytes = 200 * 1024 * 1024

/**
 * A library that Bun unpacked, and the sign of a process that is about to: nobody cleans the folder
 * meanwhile.
 */
const unpackedName = /^\.bun-.*\.node$/
const loadingName = /^\.guichet-loading-(\d+)$/

/** The folder of the addon, entered; `trouble` says why it cannot be unpacked there. */
export interface AddonFolder {
  trouble: string | undefined
  /** To be said once the addon is loaded. */
  loaded(): void
}

/**
 * The built program unpacks its index engine into a folder and loads it from there, before any line of ours;
 * Bun's own words for a folder where that cannot work lead astray.
 */
export function enterAddonFolder(environment: Environment): AddonFolder {
  const folder = environment["BUN_TMPDIR"] || environment["TMPDIR"] || "/tmp"
  const sign = join(folder, `.guichet-loading-${process.pid}`)
  const trouble = troubleOf(folder, sign)
  const loaded = () => removeSign(sign)
  if (trouble) loaded()
  return { trouble, loaded }
}

/**
 * Never throws, which would hide the trouble that is to be named. A sign that stays is soon that of a process
 * that is gone: nobody heeds it.
 */
function removeSign(sign: string): void {
  try {
    rmSync(sign, { force: true })
  } catch {
    // A folder that may not be searched holds no sign of ours.
  }
}

function troubleOf(folder: string, sign: string): string | undefined {
  const advice = "set BUN_TMPDIR to a folder of the service's own that allows execution"
  try {
    if (!isUnpacked(folder) && freeBytes(folder) < neededBytes)
      return `${folder} has less than ${neededBytes / 1024 / 1024} MB free, which the program needs to unpack a library: ${advice}`
    // The sign of an earlier process of this number. Others may write to the folder: what they put in its
    // place is not followed.
    rmSync(sign, { force: true })
    writeFileSync(sign, "", { mode: 0o700, flag: "wx" })
  } catch (error) {
    return `${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}), where the program unpacks a library: ${advice}`
  }
  try {
    accessSync(sign, constants.X_OK)
    return undefined
  } catch {
    return `${folder} forbids execution (noexec), and the program unpacks a library there: ${advice}`
  }
}

function isUnpacked(folder: string): boolean {
  return readdirSync(folder).some((name) => unpackedName.test(name))
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Removes what other versions of the program unpacked, 160 MB each, from a folder of the service's own
 * (BUN_TMPDIR), and gives their names. What a running process has loaded stays, and everything while a
 * process is about to load; then the next start cleans.
 */
export function removeOldAddons(environment: Environment): string[] {
  const folder = environment["BUN_TMPDIR"]
  const unpacked = folder ? namesIn(folder).filter((name) => unpackedName.test(name)) : []
  // Without its own among them this is another program's folder, or a system that does not tell.
  if (!folder || !mappedBy("self").some((line) => unpacked.some((name) => isOf(line, folder, name))))
    return []
  const processes = namesIn("/proc").filter((name) => /^\d+$/.test(name))
  const mapped = processes.flatMap(mappedBy)
  const old = unpacked.filter((name) => !mapped.some((line) => isOf(line, folder, name)))
  if (namesIn(folder).some((name) => processes.includes(loadingName.exec(name)?.[1] ?? ""))) return []
  for (const name of old) rmSync(join(folder, name), { force: true })
  return old
}

function isOf(line: string, folder: string, name: string): boolean {
  return line.endsWith(` ${join(folder, name)}`)
}

/** The files that a process has mapped, a line each; none when it is gone or somebody else's. */
function mappedBy(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
