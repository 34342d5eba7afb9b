import { statfs } from "node:fs/promises"

/** Bytes that are free to us on the disk of a folder; infinite where the file system does not say. */
export async function freeDiskBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
