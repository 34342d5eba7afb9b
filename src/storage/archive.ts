import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import type { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createZstdCompress, createZstdDecompress } from "node:zlib"
import { packTar, unpackTar } from "modern-tar/fs"

// The types of Node.js 20, which a dependency needs, lack what Bun and later versions have.
declare module "node:zlib" {
  function createZstdCompress(): Transform
  function createZstdDecompress(): Transform
}

/** BLAKE2b of an archive's bytes, in base64url. */
type Checksum = string

/** Larger archives are neither stored nor fetched: 300,000 passages with vectors. */
export const maxArchiveBytes = 2 * 1024 ** 3

/** Packs files of a folder into one (tar, zstd), and never holds more than a few of their pieces in memory. */
export async function packArchive(
  folder: string,
  files: readonly string[],
  archive: string,
  signal: AbortSignal,
): Promise<{ checksum: Checksum; bytes: number }> {
  const sources = files.map((file) => ({ type: "file", source: join(folder, file), target: file }) as const)
  const counted = openCount()
  await pipeline(packTar(sources), createZstdCompress(), counted.pass, createWriteStream(archive), { signal })
  return counted.result()
}

/**
 * Writes what a store gave to a file. Resolves to false when it is not what the checksum says: then nothing of it
 * may be unpacked.
 */
export async function saveArchive(content: AsyncIterable<Uint8Array>, archive: string, checksum: Checksum) {
  const counted = openCount()
  try {
    await pipeline(content, counted.pass, createWriteStream(archive))
  } catch (error) {
    if (error instanceof TooLarge) return false
    throw error
  }
  return counted.result().checksum === checksum
}

/** Unpacks an archive whose checksum was right, so that this program wrote it. */
export async function unpackArchive(archive: string, folder: string): Promise<void> {
  await pipeline(
    createReadStream(archive),
    createZstdDecompress(),
    unpackTar(folder, { filter: ({ type }) => type === "file" }),
  )
}

/** An index that no archive may hold. */
export class TooLarge extends Error {
  override readonly name = "TooLarge"
}

/** A step of a pipeline that measures what passes. */
function openCount() {
  const hasher = new Bun.CryptoHasher("blake2b256")
  let bytes = 0
  return {
    async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxArchiveBytes) throw new TooLarge(`more than ${maxArchiveBytes} bytes`)
        hasher.update(chunk)
        yield chunk
      }
    },
    result: () => ({ checksum: hasher.digest("base64url"), bytes }),
  }
}
