import { open, readdir } from "node:fs/promises"
import { join } from "node:path"

/**
 * A hash over the names and contents of the files of an index. LanceDB notices little of what happens to its
 * files; comparing this with what was kept when it was built notices all of it. Empty when there is no file.
 */
export async function sealOf(folder: string, name: string): Promise<string> {
  return seal(folder, name, false)
}

/** The same, once the files are on the disk for good: LanceDB does not wait for that. */
export async function sealDurably(folder: string, name: string): Promise<string> {
  return seal(folder, name, true)
}

async function seal(folder: string, name: string, durably: boolean): Promise<string> {
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

/** An index is what is called after it: a folder, and files beside it. */
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
