import { existsSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Clock, isoTime } from "../../base/clock.ts"
import { appendDurably, readPlainFile } from "../../db/sqlite/durable-file.ts"

/**
 * Append-only list of erased form responses, kept beside the backups: restoring an older backup must not
 * bring them back. It holds only response ids, which identify nobody once the response is gone.
 */
export interface ErasureJournal {
  /**
   * The entries are on the disk when this returns. Throws when they cannot be written; then the caller must
   * erase nothing.
   */
  add(responseIds: readonly string[]): void
}

export function openErasureJournal(folder: string, clock: Clock): ErasureJournal {
  const path = journalPath(folder)
  return {
    add(responseIds) {
      const at = isoTime(clock.now())
      const lines = responseIds.map((response) => `${JSON.stringify({ at, response })}\n`).join("")
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendDurably(path, lines)
    },
  }
}

export function journalPath(folder: string): string {
  return join(folder, "erasures.jsonl")
}

/** Ids of every erased response. Leaves out a last line that a crash cut off. */
export function readErasures(path: string): string[] {
  if (!existsSync(path)) return []
  return readPlainFile(path)
    .split("\n")
    .map((line) => /"response":"(resp_[0-9a-f]+)"\}$/.exec(line)?.[1])
    .filter((id) => id !== undefined)
}
