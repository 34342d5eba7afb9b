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
import type { EmbeddedFile } from "./native-files.ts"
import { ForeignFolder, ownId, packedFiles, unpackFiles } from "./unpack.ts"

/** Libraries that a version of the program unpacked: in a folder, or as Bun did for earlier ones. */
const unpackedName = /^(?:\.guichet-[a-z]+-\d+-[a-z0-9]+|\.bun-.*\.node)$/
/** The marker of a process that is about to load one: while it exists, the folder is not cleaned. */
const markerName = /^\.guichet-loading-(\d+)$/

/** The folder that the index engine's addon is unpacked into. */
export interface AddonFolder {
  /** Why the addon cannot be unpacked there; undefined when it was. */
  problem: string | undefined
  /** To be called once the addon is loaded. */
  loaded(): void
}

/** The folder into which the compiled program unpacks native code. */
export function addonFolder(environment: Environment): string {
  return environment["BUN_TMPDIR"] || environment["TMPDIR"] || "/tmp"
}

/**
 * Unpacks the index engine's addon, the first of its files, and tells LanceDB's loader by `environment` where
 * it is. The folder is marked as in use.
 */
export async function claimAddonFolder(
  environment: Environment,
  engine: readonly EmbeddedFile[],
): Promise<AddonFolder> {
  const folder = addonFolder(environment)
  const marker = join(folder, `.guichet-loading-${process.pid}`)
  const problem = addonProblem(folder, marker, engine) ?? (await unpackingProblem(environment, engine))
  // A marker that stays does no harm, because the marker of an ended process is ignored.
  const loaded = () => void remove(marker)
  if (problem) loaded()
  return { problem, loaded }
}

const advice = "set BUN_TMPDIR to a folder of the service's own that allows execution"

function unwritable(folder: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `${folder} cannot be written to (${code ?? message}), where the program unpacks a library: ${advice}`
}

function addonProblem(folder: string, marker: string, engine: readonly EmbeddedFile[]): string | undefined {
  try {
    // Removes the marker of an earlier process with this id. Others may write to the folder: `wx` follows no
    // link that they put in its place.
    remove(marker)
    writeFileSync(marker, "", { mode: 0o700, flag: "wx" })
  } catch (error) {
    return unwritable(folder, error)
  }
  try {
    accessSync(marker, constants.X_OK)
  } catch {
    return `${folder} forbids execution (noexec), and the program unpacks a library there: ${advice}`
  }
  const neededBytes = packedFiles(engine, folder).reduce((sum, { bytes }) => sum + bytes, 0)
  if (freeBytes(folder) >= neededBytes) return undefined
  const megabytes = Math.ceil(neededBytes / 1024 / 1024)
  return `${folder} has less than ${megabytes} MB free, which the program needs to unpack a library: ${advice}`
}

async function unpackingProblem(
  environment: Environment,
  engine: readonly EmbeddedFile[],
): Promise<string | undefined> {
  const folder = addonFolder(environment)
  try {
    const unpacked = await unpackFiles(engine, folder)
    const [addon] = engine
    // Read by LanceDB's own loader, before it looks for a package.
    if (addon) environment["NAPI_RS_NATIVE_LIBRARY_PATH"] = join(unpacked, addon.name)
    return undefined
  } catch (error) {
    if (error instanceof ForeignFolder) return `${error.message}: ${advice}`
    return unwritable(folder, error)
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
 * Removes what other versions of the program unpacked, 50 to 240 MB each, from the service's own folder
 * (BUN_TMPDIR), and gives the names. What a running process has loaded stays. While any process is about to
 * load, all stays, and the next start cleans. What belongs to another account, or cannot be removed, is left
 * alone. Never throws.
 */
export function removeOldAddons(environment: Environment): string[] {
  const folder = environment["BUN_TMPDIR"]
  const names = folder ? namesIn(folder) : []
  const unpacked = names.filter((name) => unpackedName.test(name) && isOwn(join(folder ?? "", name)))
  // If this process has mapped none of them, the folder is another program's, or there is no /proc.
  if (!folder || !mappedBy("self").some((line) => unpacked.some((name) => isMapping(line, folder, name))))
    return []
  const processes = namesIn("/proc").filter((name) => /^\d+$/.test(name))
  const mapped = processes.flatMap(mappedBy)
  const old = unpacked.filter((name) => !mapped.some((line) => isMapping(line, folder, name)))
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
