import { existsSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Clock, isoTime, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { randomText } from "../../base/ids.ts"
import type { Config } from "../../config/config.ts"
import { appendDurably, readPlainFile } from "../../db/sqlite/durable-file.ts"
import { type ObjectLog, StorageError } from "../../storage/object-store.ts"
import { openSharedLog } from "../../storage/open-store.ts"

/**
 * List of erased form responses that only grows, kept apart from the database: restoring an older copy must not
 * bring them back. It holds only response ids, which identify no person once the response is gone.
 */
export interface ErasureJournal {
  /**
   * Called before the erasure is committed. The entries are kept once the promise resolves; when it rejects, the
   * caller must erase nothing.
   */
  add(responseIds: readonly string[]): Promise<void>
}

/** The journal of the settings: in the store that nodes share, or else beside the backups of this machine. */
export function openErasures(config: Config, clock: Clock): ErasureJournal {
  const store = openSharedLog(config, journalLimits)
  return store
    ? openSharedJournal(store, clock)
    : openErasureJournal(config.backup.dir ?? config.dataDir, clock)
}

/** A file beside the backups of one machine. */
function openErasureJournal(folder: string, clock: Clock): ErasureJournal {
  const path = journalPath(folder)
  return {
    async add(responseIds) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendDurably(path, journalLines(responseIds, clock))
    },
  }
}

/** Longest wait for the store: PostgreSQL ends a transaction in which nothing happens for some seconds. */
export const journalLimits = { stallMs: 3 * secondMs, requestMs: 4 * secondMs }

const prefix = "erasures/"
const readAtOnce = 8

/**
 * An object for each batch, in the store that all nodes share. `add` throws Refusal `unavailable` while the store
 * cannot be used.
 */
function openSharedJournal(store: ObjectLog, clock: Clock): ErasureJournal {
  return {
    async add(responseIds) {
      const key = `${prefix}${isoTime(clock.now())}-${randomText(12, "abcdefghijklmnopqrstuvwxyz0123456789")}.jsonl`
      try {
        await store.add(key, journalLines(responseIds, clock), new AbortController().signal)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        throw new Refusal("unavailable", detail("forms.journalAway"), {
          reason: `the journal of erasures cannot be written: ${error.message}`,
        })
      }
    },
  }
}

export function journalPath(folder: string): string {
  return join(folder, "erasures.jsonl")
}

/** Ids of every erased response. Leaves out a last line that a crash cut off. */
export function readErasures(path: string): string[] {
  return existsSync(path) ? idsIn(readPlainFile(path)) : []
}

/** Ids of the responses whose erasure nodes have noted since that time. Throws StorageError. */
export async function readSharedErasures(
  store: ObjectLog,
  sinceMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const keys = await Array.fromAsync(store.keys(prefix, `${prefix}${isoTime(sinceMs)}`, signal))
  const ids: string[] = []
  for (let start = 0; start < keys.length; start += readAtOnce) {
    const read = keys.slice(start, start + readAtOnce).map(async (key) => {
      const chunks = await store.get(key, signal)
      return chunks ? idsIn(Buffer.concat(await Array.fromAsync(chunks)).toString()) : []
    })
    ids.push(...(await Promise.all(read)).flat())
  }
  return ids
}

function journalLines(responseIds: readonly string[], clock: Clock): string {
  const at = isoTime(clock.now())
  return responseIds.map((response) => `${JSON.stringify({ at, response })}\n`).join("")
}

function idsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => /"response":"(resp_[0-9a-f]+)"\}$/.exec(line)?.[1])
    .filter((id) => id !== undefined)
}
