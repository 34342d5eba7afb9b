import { existsSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Clock, isoTime } from "../../base/clock.ts"
import { appendDurably, readPlainFile } from "../../db/sqlite/durable-file.ts"

/**
 * What was erased, kept beside the backups and only ever added to: a backup from before holds it still, and
 * must not bring it back. Nothing in it says who: only ids of form responses, which name nobody once the
 * response is gone.
 */
export interface ErasureJournal {
  /** On the disk when this returns; throws when it cannot be, and then nothing may be erased. */
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

/** Ids of every response that was erased; a last line that a crash cut off is left out. */
export function readErasures(path: string): string[] {
  if (!existsSync(path)) return []
  return readPlainFile(path)
    .split("\n")
    .map((line) => /"response":"(resp_[0-9a-f]+)"\}$/.exec(line)?.[1])
    .filter((id) => id !== undefined)
}
