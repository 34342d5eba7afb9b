import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { openSemaphore } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import {
  archivePrefix,
  dropIndex,
  isComplete,
  listIndexes,
  moveIndex,
} from "../../index/lance/index-files.ts"
import { indexFormat } from "../../index/lance/lance.ts"
import { saveArchive, unpackArchive } from "../../storage/archive.ts"
import type { ObjectStore } from "../../storage/object-store.ts"
import { checksumOf } from "../checksum.ts"
import { newestBefore, projectOf, tableName } from "../generation.ts"
import { type ArchivedGeneration, checksumIn, forgetArchive } from "./archived.ts"
import { openCacheSpace, totalOf } from "./cache-space.ts"

/** The index folder of a node, as a cache of the archives that the nodes share. */
export interface IndexCache extends AsyncDisposable {
  /**
   * Whether the files of a generation are here and whole. Files of the same name that are not its own, or were
   * damaged, are dropped.
   */
  has(live: ArchivedGeneration): Promise<boolean>
  /** Brings the files of a generation here, or joins a fetch under way. Never rejects. */
  fetch(live: ArchivedGeneration): Promise<void>
  /** Drops files that cannot be read. Those of an archive that was right are no better: the index is built again. */
  discard(live: ArchivedGeneration): Promise<void>
  /** The newest generation before `number` whose files are here. */
  olderThan(projectId: string, number: number): Promise<number | undefined>
  /** Notes that a question is answered from a generation. */
  used(projectId: string, number: number): void
  /** Looks at the folder, once for all projects, and forgets what is neither there nor one of these generations. */
  look(lives: readonly ArchivedGeneration[]): Promise<CacheView>
  /** Drops the files of an index that is not open. */
  evict(name: string): Promise<void>
  /** Fetches since the start of the process, by outcome. */
  counts(): Readonly<Record<FetchOutcome, number>>
}

/** The index folder at one moment. */
export interface CacheView {
  /**
   * Whether a generation that is not here is worth fetching before anybody asks: it replaces an older one, or there is
   * room for it beside all that were found worth it.
   */
  wants(live: ArchivedGeneration): boolean
  /** The indexes used least recently, so many that the rest fits into the cache. */
  surplus(): string[]
}

export const fetchOutcomes = ["fetched", "missing", "damaged", "failed"] as const
export type FetchOutcome = (typeof fetchOutcomes)[number]

interface CacheDeps {
  db: Db
  log: Log
  indexDir: string
  store: ObjectStore
  /** Disk that complete indexes may take. */
  maxBytes: number
  /** Receives each project whose archive is lost, on one node of all: its index is to be built again. */
  onLost(projectId: string): void
}

/** More at once would take the memory and the disk that questions need. */
const fetchesAtOnce = 2
const firstPauseMs = secondMs
const longestPauseMs = 30 * secondMs

export function openIndexCache({ db, log, indexDir, store, maxBytes, onLost }: CacheDeps): IndexCache {
  const stop = new AbortController()
  const places = openSemaphore(fetchesAtOnce)
  const fetching = new Map<string, Promise<void>>()
  /** Checksums of the indexes that were found whole. */
  const verified = new Map<string, string>()
  const verifying = new Map<string, Promise<boolean>>()
  const failures = new Map<string, { count: number; nextAtMs: number }>()
  const unreadable = new Set<string>()
  const space = openCacheSpace(indexDir, maxBytes)
  const counts = { fetched: 0, missing: 0, damaged: 0, failed: 0 }

  async function has({ projectId, number, checksum }: ArchivedGeneration): Promise<boolean> {
    const name = tableName(projectId, number)
    if (!isComplete(indexDir, name)) return false
    if (verified.get(name) === checksum) return true
    const underWay = verifying.get(name)
    if (underWay) return underWay
    const whole = verify(name, checksum).finally(() => verifying.delete(name))
    verifying.set(name, whole)
    return whole
  }

  /** Another node may have built a generation of this number, after this one was killed while it did. */
  async function verify(name: string, checksum: string): Promise<boolean> {
    if ((await checksumOf(indexDir, name)) === checksum) verified.set(name, checksum)
    else await dropIndex(indexDir, name)
    return verified.has(name)
  }

  function fetch(live: ArchivedGeneration): Promise<void> {
    const name = tableName(live.projectId, live.number)
    const underWay = fetching.get(name)
    if (underWay) return underWay
    if (!canFetch(live)) return Promise.resolve()
    const fetched = places.run(() => attempt(name, live, live.archive as string))
    fetching.set(name, fetched)
    return fetched.finally(() => fetching.delete(name))
  }

  function canFetch({ projectId, number, archive, indexFormat: format }: ArchivedGeneration): boolean {
    // An index of another version of the program cannot be opened here.
    if (archive === null || !format.startsWith(`${indexFormat} `)) return false
    return (failures.get(tableName(projectId, number))?.nextAtMs ?? 0) <= performance.now()
  }

  async function attempt(name: string, live: ArchivedGeneration, key: string): Promise<void> {
    const which = { project: live.projectId, generation: live.number }
    const startedMs = performance.now()
    try {
      if (stop.signal.aborted || (await has(live))) return
      const outcome = await bring(name, live, key)
      counts[outcome]++
      failures.delete(name)
      if (outcome === "fetched")
        log.info("index fetched", { ...which, milliseconds: Math.round(performance.now() - startedMs) })
      else if (await forgetArchive(db, live)) {
        log.warning("the archive of an index is lost: it is built again", { ...which, outcome })
        onLost(live.projectId)
      }
    } catch (error) {
      if (stop.signal.aborted) return
      counts.failed++
      const count = (failures.get(name)?.count ?? 0) + 1
      const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs)
      failures.set(name, { count, nextAtMs: performance.now() + pauseMs })
      if (count === 1)
        log.warning("an index cannot be fetched yet", { ...which, error: (error as Error).message })
    }
  }

  async function bring(name: string, live: ArchivedGeneration, key: string): Promise<FetchOutcome> {
    await mkdir(indexDir, { recursive: true })
    const folder = await mkdtemp(join(indexDir, archivePrefix))
    const archive = join(folder, "archive")
    try {
      // A second look tells damage in the store from damage on the way.
      for (let looks = 0; ; looks++) {
        const content = await store.get(key, stop.signal)
        if (!content) return "missing"
        if (await saveArchive(content, archive, checksumIn(key))) break
        if (looks === 1) return "damaged"
      }
      await unpackArchive(archive, folder)
      await moveIndex(folder, indexDir, name)
      verified.set(name, live.checksum)
      return "fetched"
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function discard(live: ArchivedGeneration): Promise<void> {
    const name = tableName(live.projectId, live.number)
    verified.delete(name)
    await dropIndex(indexDir, name)
    const isSecond = unreadable.has(name)
    unreadable.add(name)
    if (isSecond && (await forgetArchive(db, live))) onLost(live.projectId)
  }

  async function look(lives: readonly ArchivedGeneration[]): Promise<CacheView> {
    const measured = await space.measure()
    const nameOf = ({ projectId, number }: ArchivedGeneration) => tableName(projectId, number)
    const names = new Set(lives.map(nameOf))
    for (const name of verified.keys()) if (!measured.has(name)) verified.delete(name)
    for (const kept of [failures, unreadable])
      for (const name of kept.keys()) if (!names.has(name)) kept.delete(name)
    const tablesOf = Map.groupBy(measured.keys(), projectOf)
    const underWay = lives.filter((live) => fetching.has(nameOf(live)))
    let roomBytes =
      maxBytes - totalOf(measured) - underWay.reduce((sum, { indexBytes }) => sum + indexBytes, 0)
    return {
      wants(live) {
        const { projectId, number, indexBytes } = live
        if (fetching.has(nameOf(live)) || !canFetch(live)) return false
        if (newestBefore(number, projectId, tablesOf.get(projectId) ?? []) !== undefined) return true
        if (indexBytes > roomBytes) return false
        roomBytes -= indexBytes
        return true
      },
      surplus: () => space.surplus(measured),
    }
  }

  async function olderThan(projectId: string, number: number): Promise<number | undefined> {
    const tables = (await listIndexes(indexDir)).filter((name) => isComplete(indexDir, name))
    return newestBefore(number, projectId, tables)
  }

  return {
    has,
    fetch,
    discard,
    olderThan,
    used: (projectId, number) => space.used(tableName(projectId, number)),
    look,
    async evict(name) {
      verified.delete(name)
      await dropIndex(indexDir, name)
    },
    counts: () => counts,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(fetching.values())
    },
  }
}
