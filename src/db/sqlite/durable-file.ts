import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Refusal } from "../../base/errors.ts"

/** Where a file stands until it is finished. Disposing of it removes what is left. */
export interface Unfinished extends Disposable {
  path: string
}

/**
 * A place for what is to become `path`: in a folder beside it that nobody else may enter (mode 0700, made
 * under a name that nobody knew), so that no link planted in a folder that others write to is ever followed.
 */
export function unfinishedBeside(path: string): Unfinished {
  const folder = mkdtempSync(`${path}.unfinished-`)
  return {
    path: join(folder, "unfinished"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Gives a finished file its name, for good: its bytes and its entry in the folder are on the disk when this returns. Throws Refusal
 * `conflict` when something has that name already.
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
 * Adds to the end of a file, made when absent (mode 0600): on the disk when this returns. Throws when the
 * name is a link, a second name of another file, or no file at all: others may write to the folder.
 */
export function appendDurably(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  // A pipe that nobody reads would be waited for.
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

/** What a file holds. Throws when the name is a link or no file. */
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
