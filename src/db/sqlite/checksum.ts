import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { putInPlace, unfinishedBeside } from "./durable-file.ts"

/** Where the checksums of a backup stand, in the format of `sha256sum`. */
export function checksumsBeside(file: string): string {
  return `${file}.sha256`
}

/** Writes the checksums of a backup and of what belongs to it, once they are on the disk. */
export function writeChecksums(file: string, others: readonly string[]): void {
  using unfinished = unfinishedBeside(checksumsBeside(file))
  const lines = [file, ...others].map((each) => `${sha256Of(each)}  ${basename(each)}\n`)
  writeFileSync(unfinished.path, lines.join(""), { mode: 0o600, flag: "wx" })
  putInPlace(unfinished.path, checksumsBeside(file))
}

/** A larger file of checksums is another file. */
const maxBytes = 4096

/**
 * Compares a backup with the checksums beside it. Gives the names of files that differ; undefined
 * where there are no checksums, as with backups of older versions.
 */
export function changedSince(file: string): string[] | undefined {
  const path = checksumsBeside(file)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, "utf8").slice(0, maxBytes)
  const noted = text.split("\n").flatMap((line) => {
    const [, sum = "", name = ""] = /^([0-9a-f]{64}) [ *]([^/]{1,255})$/.exec(line) ?? []
    return name ? [{ sum, name }] : []
  })
  // A backup may have been renamed together with its checksums: the first line is that of the database.
  const paths = noted.map(({ name }, index) => (index === 0 ? file : join(dirname(file), name)))
  // A key that was made along may be kept apart since.
  const changed = noted.filter(({ sum }, index) => {
    const path = paths[index] as string
    return (index === 0 || existsSync(path)) && sha256Of(path) !== sum
  })
  return noted.length === 0 ? [basename(path)] : changed.map(({ name }) => name)
}

export function removeWithChecksums(file: string): void {
  for (const path of [file, checksumsBeside(file)]) rmSync(path, { force: true })
}

function sha256Of(file: string): string {
  const hash = new Bun.CryptoHasher("sha256")
  const part = Buffer.allocUnsafe(1024 * 1024)
  const descriptor = openSync(file, "r")
  try {
    for (let size = readSync(descriptor, part); size > 0; size = readSync(descriptor, part))
      hash.update(part.subarray(0, size))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest("hex")
}
