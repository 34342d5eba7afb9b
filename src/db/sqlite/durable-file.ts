import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Refusal } from "../../base/errors.ts"
import { takeLock } from "./lock.ts"

/** Path of a file while it is being written. Disposing removes the file. */
export interface UnfinishedFile extends Disposable {
  path: string
}

/**
 * Reserves a path for the file that becomes `path`. It lies in a new private folder beside it (mode 0700,
 * random name), so that a link planted by another user of the parent folder is never followed.
 */
export function unfinishedBeside(path: string): UnfinishedFile {
  const folder = mkdtempSync(`${path}.unfinished-`)
  const lock = takeLock(folder, writer)
  // `removeUnfinished` came in between.
  if (!lock) return unfinishedBeside(path)
  return {
    path: join(folder, "unfinished"),
    [Symbol.dispose]() {
      lock[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lock of the process that writes an unfinished file. */
const writer = "writer"

/**
 * Removes from a folder what `unfinishedBeside` made for a file with one of these names and a killed process left
 * behind. A process that still writes holds a lock.
 */
export function removeUnfinished(folder: string, names: RegExp): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [, name = ""] = unfinishedName.exec(entry.name) ?? []
    if (!names.test(name)) continue
    const path = join(folder, entry.name)
    using lock = entry.isDirectory() ? takeLock(path, writer) : noLock
    if (lock) rmSync(path, { recursive: true, force: true })
  }
}

/** A folder, or a file of older versions. */
const unfinishedName = /^(.+)\.unfinished(?:-\w{6})?$/
const noLock: Disposable = { [Symbol.dispose]() {} }

/**
 * Gives a finished file its name. Its contents and its directory entry are on the disk when this returns.
 * Throws Refusal `conflict` when the name exists already.
 */
export function putInPlace(unfinished: string, path: string): void {
  sync(unfinished)
  try {
    linkSync(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    throw new Refusal("conflict", "", {
      reason: `${path} exists already: nothing is overwritten`,
      cause: error,
    })
  } finally {
    rmSync(unfinished, { force: true })
  }
  sync(dirname(path))
}

/**
 * Appends to a file, which it creates when absent (mode 0600). The text is on the disk when this returns.
 * Throws when the path is a symbolic link, a hard link, or not a regular file, since others may write to the
 * folder.
 */
export function appendDurably(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  // O_NONBLOCK, because opening a pipe without a reader would block.
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const { nlink } = requireFile(file, path)
    if (nlink !== 1) throw new Error(`${path} is another name of some file`)
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Reads a text file. Throws when the path is a symbolic link or not a regular file. */
export function readPlainFile(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    requireFile(file, path)
    return readFileSync(file, "utf8")
  } finally {
    closeSync(file)
  }
}

function requireFile(file: number, path: string): Stats {
  const stats = fstatSync(file)
  if (!stats.isFile()) throw new Error(`${path} is no file`)
  return stats
}

function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
