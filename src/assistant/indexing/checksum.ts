import { open, readdir } from "node:fs/promises"
import { join } from "node:path"

/**
 * Hash over the names and contents of the files of an index; empty when there is no file. LanceDB notices
 * little damage to its files. Comparing this with the stored checksum notices all of it.
 */
export async function checksumOf(folder: string, name: string): Promise<string> {
  return checksum(folder, name, false)
}

/** The same, after an fsync of every file, which LanceDB does not do. */
export async function checksumDurably(folder: string, name: string): Promise<string> {
  return checksum(folder, name, true)
}

async function checksum(folder: string, name: string, durably: boolean): Promise<string> {
  const files = await filesOf(folder, name)
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

/** All files of an index are called `<name>.…`: a folder with files, and files beside it. */
async function filesOf(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  const files: string[] = []
  for (const entry of entries.filter((entry) => entry.startsWith(`${name}.`))) {
    const inside = await readdir(join(folder, entry), { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    )
    if (!inside) files.push(entry)
    else
      for (const found of inside)
        if (found.isFile()) files.push(join(found.parentPath, found.name).slice(folder.length + 1))
  }
  return files.sort()
}
