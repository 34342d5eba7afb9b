import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { type EmbeddedFile, nativeFiles } from "./native-files.ts"

/** Starts of other containers meanwhile that unpacking a file survives, and one. */
const maxTries = 5

export const ownId = process.getuid?.() ?? 0

/** Bun names embedded files by their contents. */
const embeddedPaths =
  "model" in nativeFiles ? [] : [...nativeFiles.indexEngine, ...nativeFiles.inference].map(({ path }) => path)

/** Name of the folder that a version unpacks into. Versions that carry the same files share it. */
export function unpackedFolder(fingerprint = Bun.hash(embeddedPaths.join("\n")).toString(36)): string {
  return `.guichet-native-${ownId}-${fingerprint}`
}

/**
 * Unpacks into `folder`, which must allow execution, what this version has not unpacked there before, and
 * resolves to the folder of the files. A file is there whole or not at all: several processes may start at
 * the same time, and the machine may stop at any moment.
 */
export async function unpackFiles(files: readonly EmbeddedFile[], folder: string): Promise<string> {
  const target = join(folder, unpackedFolder())
  mkdirSync(target, { recursive: true, mode: 0o700 })
  requireOwn(target)
  const missing = packedFiles(files, folder)
  if (missing.length > 0) removeUnfinished(target)
  for (const file of missing) await unpackWhole(file, target)
  return target
}

/** Those that are still to be unpacked. */
export function packedFiles(files: readonly EmbeddedFile[], folder: string): EmbeddedFile[] {
  const target = join(folder, unpackedFolder())
  return files.filter(({ name, bytes }) => sizeOf(join(target, name)) !== bytes)
}

/** Undefined where nothing can be seen: what stands in the way is named when the file is unpacked. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    return undefined
  }
}

/** Others may write to the folder: native code of theirs, prepared under this name, is never loaded. */
export class ForeignFolder extends Error {}

function requireOwn(target: string): void {
  const { uid, mode } = lstatSync(target)
  const isOwn = (process.getuid === undefined || uid === ownId) && (mode & 0o022) === 0
  if (!isOwn || !lstatSync(target).isDirectory())
    throw new ForeignFolder(`${target} is not a folder of this account's own`)
}

/** A process of another container that shares the folder may take for left what this one still writes. */
async function unpackWhole(file: EmbeddedFile, target: string): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await unpack(file, target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === maxTries) throw error
    }
}

async function unpack({ name, path }: EmbeddedFile, target: string): Promise<void> {
  // Containers that share the folder have processes of one id.
  const unfinished = join(target, `${name}.${process.pid}.${crypto.randomUUID()}`)
  const descriptor = openSync(unfinished, "wx", 0o700)
  try {
    try {
      // The types of the web platform know no zstd.
      const zstd = new DecompressionStream("zstd" as CompressionFormat)
      for await (const bytes of Bun.file(path).stream().pipeThrough(zstd)) writeAll(descriptor, bytes)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, join(target, name))
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** A nearly full disk takes a part of the bytes before it refuses. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

/** Left by processes that ended over it; one may have had this one's id, in a container started again. */
function removeUnfinished(target: string): void {
  for (const name of readdirSync(target)) {
    const [, pid] = /\.(\d+)\.[0-9a-f-]{36}$/.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && existsSync(`/proc/${pid}`))) continue
    rmSync(join(target, name), { force: true })
  }
}
