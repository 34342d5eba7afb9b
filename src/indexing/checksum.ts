import { open } from "node:fs/promises"
import { join } from "node:path"
import { indexFiles } from "../index/lance/index-files.ts"

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
