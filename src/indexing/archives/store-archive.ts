import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { sleep } from "../../base/async.ts"
import { type Clock, minuteMs, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { archivePrefix, indexBytes, indexFiles } from "../../index/lance/index-files.ts"
import { maxArchiveBytes, packArchive, TooLarge } from "../../storage/archive.ts"
import { type ObjectStore, StorageError } from "../../storage/object-store.ts"
import { tableName } from "../generation.ts"
import { archiveKey, recordArchive } from "./archived.ts"

export interface ArchiveDeps {
  db: Db
  clock: Clock
  indexDir: string
  store: ObjectStore
  /** Time for which a store that cannot be used is tried again. */
  patienceMs?: number | undefined
}

/** A store that is away for a minute or two fails no indexing; the queue behind it does not wait for longer. */
const usualPatienceMs = 5 * minuteMs
const firstPauseMs = secondMs
const longestPauseMs = 15 * secondMs

/**
 * Packs the files of a generation that was built, and stores them for the other nodes. Resolves to the key, which the
 * switch names. Throws Refusal `unavailable` when the store cannot be used for long, `conflict` when the index is too
 * large for an archive.
 */
export async function storeArchive(
  deps: ArchiveDeps,
  projectId: string,
  number: number,
  signal: AbortSignal,
): Promise<string> {
  const { db, clock, indexDir, store } = deps
  const name = tableName(projectId, number)
  const archive = join(indexDir, `${archivePrefix}${randomUUID()}`)
  try {
    const { checksum, bytes } = await packArchive(indexDir, await indexFiles(indexDir, name), archive, signal)
    const key = archiveKey(projectId, number, checksum)
    const row = { key, project_id: projectId, number, bytes, index_bytes: await indexBytes(indexDir, name) }
    // Stored first: what is not in this table is never removed from the store.
    await recordArchive(db, { ...row, begun_at: clock.now() })
    await patiently(() => store.put(key, archive, signal), deps.patienceMs ?? usualPatienceMs, signal)
    return key
  } catch (error) {
    if (error instanceof TooLarge)
      throw new Refusal("conflict", detail("assistant.archiveTooLarge"), {
        reason: detail("reading.archiveTooLarge", { megabytes: maxArchiveBytes / 1024 ** 2 }),
      })
    if (error instanceof StorageError)
      throw new Refusal("unavailable", detail("assistant.archiveNotStored"), {
        reason: detail("reading.storeUnusable", { error: error.message }),
      })
    throw error
  } finally {
    await rm(archive, { force: true })
  }
}

async function patiently(put: () => Promise<void>, patienceMs: number, signal: AbortSignal): Promise<void> {
  const endsAtMs = performance.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await put()
    } catch (error) {
      if (!(error instanceof StorageError) || performance.now() + pauseMs > endsAtMs) throw error
    }
    await sleep(pauseMs, signal)
  }
}
