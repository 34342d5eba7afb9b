import { existsSync } from "node:fs"
import { open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/*
 * All files of an index are called `<name>.…`: the table, the passages, the vectors, the vocabulary, and the
 * temporary file of an interrupted vocabulary.
 */

/** Begins the names of archives in the folder, and of folders where they are unpacked. */
export const archivePrefix = "_archive-"

export async function dropIndex(folder: string, name: string): Promise<void> {
  for (const entry of await folderEntries(folder))
    if (indexOfEntry(entry) === name) await rm(join(folder, entry), { recursive: true, force: true })
}

/** Names of the indexes in a folder, complete or not. */
export async function listIndexes(folder: string): Promise<string[]> {
  const names = (await folderEntries(folder)).map(indexOfEntry)
  // LanceDB keeps a `__manifest` of its own in the folder, and archives begin with `archivePrefix`.
  return [...new Set(names.filter((name) => !name.startsWith("_")))]
}

/** Whether an index was built to its end. */
export function isComplete(folder: string, name: string): boolean {
  return existsSync(vocabularyFile(folder, name))
}

/** Moves an index from a folder of the same disk. Until the last file is there, it counts as incomplete. */
export async function moveIndex(from: string, to: string, name: string): Promise<void> {
  await dropIndex(to, name)
  const entries = (await folderEntries(from)).filter((entry) => indexOfEntry(entry) === name)
  const isLast = (entry: string) => join(from, entry) === vocabularyFile(from, name)
  for (const entry of entries.sort((one, other) => Number(isLast(one)) - Number(isLast(other))))
    await rename(join(from, entry), join(to, entry))
}

/** Paths of all files of an index within the folder, sorted. */
export async function indexFiles(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  const files: string[] = []
  for (const entry of entries.filter((entry) => indexOfEntry(entry) === name)) {
    const inside = await readdir(join(folder, entry), { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    )
    if (!inside) files.push(entry)
    else
      for (const file of inside)
        if (file.isFile()) files.push(join(file.parentPath, file.name).slice(folder.length + 1))
  }
  return files.sort()
}

/** Bytes on the disk. A file that disappears meanwhile counts for nothing. */
export async function indexBytes(folder: string, name: string): Promise<number> {
  const sizes = (await indexFiles(folder, name)).map((file) =>
    stat(join(folder, file)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

export function vocabularyFile(folder: string, name: string): string {
  return join(folder, `${name}.vocabulary`)
}

/**
 * Files of a folder; none when it does not exist. Throws when it cannot be read: taken for empty, all indexes
 * would be rebuilt.
 */
async function folderEntries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}

function indexOfEntry(entry: string): string {
  return entry.split(".")[0] as string
}

/**
 * Hash over the names and contents of the files of an index; empty when there is no file. LanceDB notices
 * little damage to its files. Comparing this with the stored checksum notices all of it. `durably` also syncs every
 * file to the disk, which LanceDB does not do.
 */
export async function checksumOf(folder: string, name: string, { durably = false } = {}): Promise<string> {
  const files = await indexFiles(folder, name)
  if (files.length === 0) return ""
  const hasher = new Bun.CryptoHasher("blake2b256")
  for (const file of files) {
    hasher.update(`\n${file}\n`)
    await using handle = await open(join(folder, file), "r")
    for await (const bytes of handle.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }))
      hasher.update(bytes as Buffer)
    if (durably) await handle.sync()
  }
  return hasher.digest("base64url")
}
