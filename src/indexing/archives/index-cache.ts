import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { openSemaphore, type Semaphore } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import {
  archivePrefix,
  checksumOf,
  dropIndex,
  isComplete,
  listIndexes,
  moveIndex,
} from "../../index/lance/index-files.ts"
import { indexFormat } from "../../index/lance/lance.ts"
import { saveArchive, unpackArchive } from "../../storage/archive.ts"
import type { ObjectStore } from "../../storage/object-store.ts"
import { newestBefore, projectOf, tableName } from "../generation.ts"
import { type ArchivedGeneration, checksumIn, forgetArchive } from "./archived.ts"
import { type CacheSpace, openCacheSpace, totalOf } from "./cache-space.ts"

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

interface Cache extends CacheDeps {
  stop: AbortController
  places: Semaphore
  space: CacheSpace
  fetching: Map<string, Promise<void>>
  /** Checksums of the indexes that are whole. */
  verified: Map<string, string>
  verifying: Map<string, Promise<boolean>>
  failures: Map<string, { count: number; nextAtMs: number }>
  unreadable: Set<string>
  counts: Record<FetchOutcome, number>
}

/** The index folder of a node, as a cache of the archives that the nodes share. */
export type IndexCache = ReturnType<typeof openIndexCache>

export function openIndexCache(deps: CacheDeps) {
  const { indexDir, maxBytes } = deps
  const cache: Cache = {
    ...deps,
    stop: new AbortController(),
    places: openSemaphore(fetchesAtOnce),
    space: openCacheSpace(indexDir, maxBytes),
    fetching: new Map(),
    verified: new Map(),
    verifying: new Map(),
    failures: new Map(),
    unreadable: new Set(),
    counts: { fetched: 0, missing: 0, damaged: 0, failed: 0 },
  }
  return {
    has: (live: ArchivedGeneration) => isHere(cache, live),
    fetch: (live: ArchivedGeneration) => fetchOnce(cache, live),
    discard: (live: ArchivedGeneration) => discard(cache, live),
    /** The newest generation before `number` whose files are here. */
    async olderThan(projectId: string, number: number): Promise<number | undefined> {
      const tables = (await listIndexes(indexDir)).filter((name) => isComplete(indexDir, name))
      return newestBefore(number, projectId, tables)
    },
    /** Notes that a question is answered from a generation. */
    used: (projectId: string, number: number) => cache.space.used(tableName(projectId, number)),
    look: (lives: readonly ArchivedGeneration[]) => look(cache, lives),
    /** Drops the files of an index that is not open. */
    evict: (name: string) => drop(cache, name),
    /** Fetches since the start of the process, by outcome. */
    counts: (): Readonly<Record<FetchOutcome, number>> => cache.counts,
    async [Symbol.asyncDispose]() {
      cache.stop.abort()
      await Promise.all(cache.fetching.values())
    },
  }
}

function indexName({ projectId, number }: ArchivedGeneration): string {
  return tableName(projectId, number)
}

/**
 * Whether the files of a generation are here and whole. Files of the same name that are not its own, or were
 * damaged, are dropped.
 */
async function isHere(cache: Cache, live: ArchivedGeneration): Promise<boolean> {
  const { indexDir, verified, verifying } = cache
  const name = indexName(live)
  if (!isComplete(indexDir, name)) return false
  if (verified.get(name) === live.checksum) return true
  const underWay = verifying.get(name)
  if (underWay) return underWay
  const isWhole = verify(cache, name, live.checksum).finally(() => verifying.delete(name))
  verifying.set(name, isWhole)
  return isWhole
}

/** Another node may have built a generation of this number, after this one was killed while it did. */
async function verify({ indexDir, verified }: Cache, name: string, checksum: string): Promise<boolean> {
  if ((await checksumOf(indexDir, name)) === checksum) verified.set(name, checksum)
  else await dropIndex(indexDir, name)
  return verified.has(name)
}

/** Brings the files of a generation here, or joins a fetch under way. Never rejects. */
function fetchOnce(cache: Cache, live: ArchivedGeneration): Promise<void> {
  const { fetching, places } = cache
  const name = indexName(live)
  const underWay = fetching.get(name)
  if (underWay) return underWay
  if (!canFetch(cache, live)) return Promise.resolve()
  const attempt = places.run(() => tryFetching(cache, live, live.archive as string))
  fetching.set(name, attempt)
  return attempt.finally(() => fetching.delete(name))
}

function canFetch({ failures }: Cache, live: ArchivedGeneration): boolean {
  // An index of another version of the program cannot be opened here.
  if (live.archive === null || !live.indexFormat.startsWith(`${indexFormat} `)) return false
  return (failures.get(indexName(live))?.nextAtMs ?? 0) <= performance.now()
}

async function tryFetching(cache: Cache, live: ArchivedGeneration, key: string): Promise<void> {
  const { db, log, stop, failures, counts, onLost } = cache
  const name = indexName(live)
  const which = { project: live.projectId, generation: live.number }
  const startedMs = performance.now()
  try {
    if (stop.signal.aborted || (await isHere(cache, live))) return
    const outcome = await bring(cache, live, key)
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

async function bring({ indexDir, store, stop, verified }: Cache, live: ArchivedGeneration, key: string) {
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
    await moveIndex(folder, indexDir, indexName(live))
    verified.set(indexName(live), live.checksum)
    return "fetched"
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function drop({ indexDir, verified }: Cache, name: string): Promise<void> {
  verified.delete(name)
  await dropIndex(indexDir, name)
}

/** Drops files that cannot be read. Those of an archive that was right are no better: the index is built again. */
async function discard(cache: Cache, live: ArchivedGeneration): Promise<void> {
  const { db, unreadable, onLost } = cache
  const name = indexName(live)
  await drop(cache, name)
  const isSecond = unreadable.has(name)
  unreadable.add(name)
  if (isSecond && (await forgetArchive(db, live))) onLost(live.projectId)
}

/** Looks at the folder, once for all projects, and forgets what is neither there nor one of these generations. */
async function look(cache: Cache, lives: readonly ArchivedGeneration[]): Promise<CacheView> {
  const { maxBytes, space, fetching, verified, failures, unreadable } = cache
  const measured = await space.measure()
  const names = new Set(lives.map(indexName))
  for (const name of verified.keys()) if (!measured.has(name)) verified.delete(name)
  for (const byName of [failures, unreadable])
    for (const name of byName.keys()) if (!names.has(name)) byName.delete(name)
  const tables = Map.groupBy(measured.keys(), projectOf)
  const underWay = lives.filter((live) => fetching.has(indexName(live)))
  let roomBytes = maxBytes - totalOf(measured) - underWay.reduce((sum, { indexBytes }) => sum + indexBytes, 0)
  return {
    wants(live) {
      const { projectId, number, indexBytes } = live
      if (fetching.has(indexName(live)) || !canFetch(cache, live)) return false
      if (newestBefore(number, projectId, tables.get(projectId) ?? []) !== undefined) return true
      if (indexBytes > roomBytes) return false
      roomBytes -= indexBytes
      return true
    },
    surplus: () => space.surplus(measured),
  }
}
