import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import type { Environment } from "../config/parse.ts"

/** Disk space that the unpacked addon takes, rounded up. */
const neededBytes = 240 * 1024 * 1024

/** A library that Bun unpacked. */
const unpackedName = /^\.bun-.*\.node$/
/** A folder into which the program itself unpacked an addon with the libraries beside it. */
const unpackedFolderName = /^\.guichet-[a-z]+-\d+-[a-z0-9]+$/

const ownId = process.getuid?.() ?? 0

/** Name of such a folder. `fingerprint`, of the files, differs between versions. */
export function unpackedFolder(addon: string, fingerprint: string): string {
  return `.guichet-${addon}-${ownId}-${fingerprint}`
}

/** The marker of a process that is about to load one: while it exists, the folder is not cleaned. */
const markerName = /^\.guichet-loading-(\d+)$/

/** The folder that Bun unpacks the addon into. */
export interface AddonFolder {
  /** Why the addon cannot be unpacked there; undefined when it can. */
  problem: string | undefined
  /** To be called once the addon is loaded. */
  loaded(): void
}

/** The folder into which the compiled program unpacks native code: Bun's own choice. */
export function addonFolder(environment: Environment): string {
  return environment["BUN_TMPDIR"] || environment["TMPDIR"] || "/tmp"
}

/**
 * Checks the folder into which the compiled program unpacks its index engine, and marks it as in use. Bun
 * unpacks at the import, and its own error for an unusable folder does not name the cause.
 */
export function claimAddonFolder(environment: Environment): AddonFolder {
  const folder = addonFolder(environment)
  const marker = join(folder, `.guichet-loading-${process.pid}`)
  const problem = addonProblem(folder, marker)
  // A marker that stays does no harm, because the marker of an ended process is ignored.
  const loaded = () => void remove(marker)
  if (problem) loaded()
  return { problem, loaded }
}

function addonProblem(folder: string, marker: string): string | undefined {
  const advice = "set BUN_TMPDIR to a folder of the service's own that allows execution"
  try {
    const unpacked = readdirSync(folder).filter((name) => unpackedName.test(name))
    // Bun would load it. A library under the number of another account is that account's affair.
    const foreign = unpacked.find((name) => name.startsWith(`.bun-${ownId}-`) && !isOwn(join(folder, name)))
    if (foreign) return `${folder} holds ${foreign}, which belongs to another account: ${advice}`
    if (!unpacked.some((name) => isOwn(join(folder, name))) && freeBytes(folder) < neededBytes)
      return `${folder} has less than ${neededBytes / 1024 / 1024} MB free, which the program needs to unpack a library: ${advice}`
    // Removes the marker of an earlier process with this id. Others may write to the folder: `wx` follows no
    // link that they put in its place.
    rmSync(marker, { force: true })
    writeFileSync(marker, "", { mode: 0o700, flag: "wx" })
  } catch (error) {
    return `${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}), where the program unpacks a library: ${advice}`
  }
  try {
    accessSync(marker, constants.X_OK)
    return undefined
  } catch {
    return `${folder} forbids execution (noexec), and the program unpacks a library there: ${advice}`
  }
}

/** Whether this account owns the file: other accounts may share the folder, as they do /tmp. */
function isOwn(path: string): boolean {
  try {
    return process.getuid === undefined || lstatSync(path).uid === ownId
  } catch {
    return false
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Removes the addons that other versions of the program unpacked, 50 to 160 MB each, from the service's own folder
 * (BUN_TMPDIR), and gives their names. An addon that a running process has loaded stays, and so does `own`, the
 * folder of this version's, which its processes load later. While any process is about to load, all stay, and the
 * next start cleans. What belongs to another account, or cannot be removed, is left alone. Never throws.
 */
export function removeOldAddons(environment: Environment, own?: string): string[] {
  const folder = environment["BUN_TMPDIR"]
  const names = folder ? namesIn(folder) : []
  const unpacked = names.filter(
    (name) => (unpackedName.test(name) || unpackedFolderName.test(name)) && isOwn(join(folder ?? "", name)),
  )
  // If this process has mapped none of them, the folder is another program's, or there is no /proc.
  if (!folder || !mappedBy("self").some((line) => unpacked.some((name) => isMapping(line, folder, name))))
    return []
  const processes = namesIn("/proc").filter((name) => /^\d+$/.test(name))
  const mapped = processes.flatMap(mappedBy)
  const old = unpacked.filter((name) => name !== own && !mapped.some((line) => isMapping(line, folder, name)))
  if (namesIn(folder).some((name) => processes.includes(markerName.exec(name)?.[1] ?? ""))) return []
  return old.filter((name) => remove(join(folder, name)))
}

/** False instead of an error, which would hide the problem that is to be reported. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true, recursive: true })
    return true
  } catch {
    return false
  }
}

/** Whether a line of `/proc/<pid>/maps` maps this file, or one in this folder. */
function isMapping(line: string, folder: string, name: string): boolean {
  const path = ` ${join(folder, name)}`
  return line.endsWith(path) || line.includes(`${path}/`)
}

/** Lines of `/proc/<pid>/maps`; none when the process has ended or belongs to another user. */
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
