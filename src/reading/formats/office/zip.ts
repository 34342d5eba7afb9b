import { unzipSync } from "fflate"
import { detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"

const megabyte = 1024 * 1024

/** An office document promises less by far: its pictures are packed already, and its text is a few megabytes. */
export const zipLimits = {
  entries: 5000,
  /** All entries together, by the sizes in their directory. */
  unpackedBytes: 200 * megabyte,
  /** Largest entry that is read, and growth of each packed byte: the text of office programs reaches 30. */
  entryBytes: 40 * megabyte,
  ratio: 200,
}

/** The names in a ZIP's directory, which is judged before anything is unpacked. Throws for one that is damaged. */
export function zipDirectory(bytes: Uint8Array): { names: ReadonlySet<string> } | LeftOut {
  const { entries: most, unpackedBytes } = zipLimits
  const names = new Set<string>()
  let total = 0
  unzipSync(bytes, {
    filter({ name, originalSize }) {
      total += originalSize
      if (names.size <= most) names.add(name)
      return false
    },
  })
  if (names.size <= most && total <= unpackedBytes) return { names }
  const megabytes = unpackedBytes / megabyte
  return { leftOut: "too_large", detail: detail("reading.zipTooLarge", { most, megabytes }) }
}

/** Unpacks the named entries, each to no more bytes than its directory tells. Throws for one that tells too many. */
export function unzipOnly(bytes: Uint8Array, names: readonly string[]): Record<string, Uint8Array> {
  return unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      if (!names.includes(name)) return false
      if (originalSize <= Math.min(zipLimits.entryBytes, size * zipLimits.ratio + 4096)) return true
      throw new Error(`${name}: ${size} → ${originalSize}`)
    },
  })
}
