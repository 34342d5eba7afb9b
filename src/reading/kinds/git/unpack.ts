import { detail, type Explanation } from "../../../base/errors.ts"
import { type GitHash, PackTooLarge, readPack } from "./pack.ts"
import { gitLimits, packIn, tooLarge } from "./remote.ts"
import { TreeTooLarge, targetCommit, writeTree } from "./tree.ts"

const megabyte = 1024 * 1024
const packLimits = { objects: 200_000, objectBytes: 100 * megabyte, totalBytes: 1500 * megabyte }
const treeLimits = {
  names: 200_000,
  files: 20_000,
  fileBytes: gitLimits.fileBytes,
  totalBytes: 300 * megabyte,
  depth: 32,
}

/** The files that are wanted of a repository whose pack came. */
export interface Unpacking {
  hash: GitHash
  tip: string
  folder: string
  /** An empty folder of ours. */
  into: string
}

/** Writes the files of a fetched repository. `wrong`: why they could not be, whatever was written meanwhile. */
export function unpackRepository(
  reply: Uint8Array,
  { hash, tip, folder, into }: Unpacking,
): { wrong?: Explanation } {
  try {
    const objects = readPack(packIn(Buffer.from(reply)), hash, packLimits)
    const isFound = writeTree(objects, targetCommit(objects, tip), { into, folder }, treeLimits)
    return isFound ? {} : { wrong: detail("reading.gitNoFolder", { folder }) }
  } catch (error) {
    if (error instanceof PackTooLarge) return { wrong: tooLarge }
    if (error instanceof TreeTooLarge)
      return { wrong: detail("reading.gitTooManyFiles", { files: treeLimits.files }) }
    return { wrong: detail("reading.gitBroken") }
  }
}
