import type { Database } from "bun:sqlite"

/**
 * Takes the write lock of a database as another process does, as soon as the service of this one writes
 * nothing.
 */
export async function lock(other: Database): Promise<void> {
  for (;;) {
    try {
      other.run("BEGIN IMMEDIATE")
      return
    } catch {
      await new Promise(setImmediate)
    }
  }
}
