import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Refusal } from "../errors.ts"

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

function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
