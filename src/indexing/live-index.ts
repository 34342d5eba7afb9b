import type { Project } from "../accounts/project.ts"
import { openSemaphore, type Semaphore, withTimeout } from "../base/async.ts"
import { minuteMs, secondMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { checksumOf, listIndexes } from "../index/lance/index-files.ts"
import { indexFormatFor, isOfNewerProgram } from "../index/lance/index-format.ts"
import { openIndex, type PassageIndex } from "../index/lance/lance.ts"
import { openSynonyms, type SynonymsOf } from "../index/synonyms/synonyms.ts"
import { type ArchivedGeneration, liveGenerations } from "./archives/archived.ts"
import type { IndexCache } from "./archives/index-cache.ts"
import { liveGeneration, projectOf, tableName } from "./generation.ts"

/** The open index of a project's live generation. */
export interface LiveIndex {
  index: PassageIndex
  generation: number
}

/** The open indexes of this process. Disposing of it closes them. */
export type LiveIndexes = ReturnType<typeof openLiveIndexes>

interface LiveIndexDeps {
  db: Db
  indexDir: string
  /** Brings the files that other nodes built. Undefined where this machine builds all of them. */
  cache?: IndexCache | undefined
  /** Receives each project whose live index cannot be read and has to be rebuilt from the stored documents. */
  onUnreadable(projectId: string): void
  embeddingNameFor(project: Pick<Project, "answers">): string | undefined
  closedAfterMs?: number
}

/** A question may still use an index that was replaced. */
const usuallyClosedAfterMs = 2 * minuteMs
/**
 * More searches at once end no sooner, and each takes memory that the process never gives back: a thousand
 * questions at once took 250 MB instead of 100 MB (`bun test/bench/crowd.ts`).
 */
const searchesAtOnce = 16

/** A question waits no longer for an index on its way. Most take less. */
const fetchedWithinMs = 5 * secondMs

interface OpenIndex {
  generation: number
  /** Names its table. */
  name: string
  index: Promise<PassageIndex | undefined>
}

interface Opened extends LiveIndexDeps {
  /** By project. */
  opened: Map<string, OpenIndex>
  /** Fetching and opening of a newer generation, by project; until it is done the older one answers. */
  replacing: Map<string, Promise<void>>
  /** Indexes that a question may still use, by the timer that closes them. */
  closing: Map<NodeJS.Timeout, OpenIndex>
  searches: Semaphore
  synonymsOf: SynonymsOf
}

export function openLiveIndexes(deps: LiveIndexDeps) {
  const indexes: Opened = {
    ...deps,
    opened: new Map(),
    replacing: new Map(),
    closing: new Map(),
    searches: openSemaphore(searchesAtOnce),
    synonymsOf: openSynonyms(deps.db),
  }
  return {
    liveIndex: (projectId: string) => liveIndex(indexes, projectId),
    follow: () => follow(indexes),
    closeUnused: () => closeUnused(indexes),
    inUse: () => inUse(indexes),
    staleIndexes: (options: { files: boolean }) => staleIndexes(deps, options),
    wordsOnlyIndexes: () => wordsOnlyIndexes(deps),
    [Symbol.dispose]() {
      const { opened, closing } = indexes
      for (const timer of closing.keys()) clearTimeout(timer)
      for (const { index } of [...closing.values(), ...opened.values()]) close(index)
      closing.clear()
      opened.clear()
    },
  }
}

/**
 * The generation that is live now, whichever process switched to it; for a few seconds the one before, while the
 * files are fetched that another node built. Do not keep it longer than a question takes: it is closed a little
 * after another one has replaced it. Throws Refusal `unavailable` when no generation is here yet.
 */
async function liveIndex(indexes: Opened, projectId: string): Promise<LiveIndex | undefined> {
  const { db, cache, synonymsOf } = indexes
  const live = await liveGeneration(db, projectId)
  if (!live) {
    forget(indexes, projectId)
    return undefined
  }
  const { generation, index: opening } = cache
    ? await openFetched(indexes, cache, projectId, live.number)
    : open(indexes, projectId, live.number)
  const index = await opening
  if (!index) {
    if (cache) throw notHere(projectId)
    return undefined
  }
  cache?.used(projectId, generation)
  const synonyms = await synonymsOf(projectId, index.language)
  return { index: synonyms ? { ...index, synonyms } : index, generation }
}

/** Opens a generation that another node may have built: its files may have to be fetched first. */
async function openFetched(indexes: Opened, cache: IndexCache, projectId: string, number: number) {
  const current = indexes.opened.get(projectId)
  if (current?.generation === number) return current
  const [live] = await liveGenerations(indexes.db, projectId)
  if (!live) throw notHere(projectId)
  if (!indexes.replacing.has(projectId) && (await cache.has(live)))
    return open(indexes, projectId, live.number)
  const older = current ?? (await openOlder(indexes, cache, live))
  if (older) {
    void replace(indexes, cache, live)
    return older
  }
  await withTimeout(cache.fetch(live), fetchedWithinMs, () => notHere(projectId))
  if (!(await cache.has(live))) throw notHere(projectId)
  return open(indexes, projectId, live.number)
}

/** Opens the files that answered before, if they are here still: after a restart, say. */
async function openOlder(indexes: Opened, cache: IndexCache, { projectId, number }: ArchivedGeneration) {
  const olderNumber = await cache.olderThan(projectId, number)
  if (olderNumber === undefined) return undefined
  const older = open(indexes, projectId, olderNumber)
  return (await older.index) && older
}

/** Fetches and opens a generation; until it is open, the older one answers. Never rejects. */
function replace(indexes: Opened, cache: IndexCache, live: ArchivedGeneration): Promise<void> {
  const { replacing } = indexes
  const { projectId } = live
  const underWay = replacing.get(projectId)
  if (underWay) return underWay
  const replaced = fetchNext(indexes, cache, live)
    .catch(() => {})
    .finally(() => replacing.delete(projectId))
  replacing.set(projectId, replaced)
  return replaced
}

async function fetchNext(indexes: Opened, cache: IndexCache, live: ArchivedGeneration): Promise<void> {
  const { opened } = indexes
  const { projectId, number } = live
  await cache.fetch(live)
  const current = opened.get(projectId)
  if (current?.generation === number || !(await cache.has(live))) return
  const next = newOpenIndex(indexes, projectId, number)
  if (!(await next.index) || opened.get(projectId) !== current) return
  forget(indexes, projectId)
  opened.set(projectId, next)
}

/** Opens what other nodes have switched to, and fetches what is likely to be asked. Called every second or so. */
async function follow(indexes: Opened): Promise<void> {
  const { db, cache, opened } = indexes
  if (!cache) return
  const lives = await liveGenerations(db)
  const folder = await cache.look(lives)
  for (const live of lives) {
    const current = opened.get(live.projectId)
    if (current?.generation === live.number) continue
    if (current) void replace(indexes, cache, live)
    else if (!(await cache.has(live)) && folder.wants(live)) void cache.fetch(live)
  }
  const names = inUse(indexes)
  for (const name of folder.surplus())
    if (names.has(name)) forget(indexes, projectOf(name))
    else await cache.evict(name)
}

/** Names of the indexes that are open, or were until a moment ago. */
function inUse({ opened, closing }: Opened): Set<string> {
  return new Set([...opened.values(), ...closing.values()].map(({ name }) => name))
}

function open(indexes: Opened, projectId: string, generation: number): OpenIndex {
  const current = indexes.opened.get(projectId)
  if (current?.generation === generation) return current
  forget(indexes, projectId)
  const next = newOpenIndex(indexes, projectId, generation)
  indexes.opened.set(projectId, next)
  return next
}

function newOpenIndex(indexes: Opened, projectId: string, generation: number): OpenIndex {
  const name = tableName(projectId, generation)
  return { generation, name, index: openGuarded(indexes, projectId, generation, name) }
}

async function openGuarded(
  indexes: Opened,
  projectId: string,
  generation: number,
  name: string,
): Promise<PassageIndex | undefined> {
  const index = await openIndex(indexes.indexDir, name)
  if (!index) {
    unreadable(indexes, projectId, generation)
    return undefined
  }
  const guarded = <Result>(search: () => Promise<Result>) =>
    guard(indexes, projectId, generation, () => indexes.searches.run(search))
  return {
    ...index,
    search: (...query) => guarded(() => index.search(...query)),
    nearest: (...query) => guarded(() => index.nearest(...query)),
  }
}

/** Files that are not in memory can become unreadable. The project then counts as not indexed. */
async function guard<Result>(
  indexes: Opened,
  projectId: string,
  generation: number,
  run: () => Promise<Result>,
): Promise<Result> {
  const { db, cache, indexDir } = indexes
  try {
    return await run()
  } catch (error) {
    const live = await liveGeneration(db, projectId)
    const isLive = live?.number === generation
    if (isLive && live.checksum === (await checksumOf(indexDir, tableName(projectId, generation))))
      throw error
    if (isLive) unreadable(indexes, projectId, generation)
    if (cache) throw notHere(projectId, error)
    throw new Refusal("not_indexed", detail("assistant.notIndexed"), {
      reason: `the index of project ${projectId} cannot be read`,
      cause: error,
    })
  }
}

/** Forgets the open index. The next question opens it again, in case the files are back. */
function unreadable(indexes: Opened, projectId: string, generation: number): void {
  const { db, cache, opened, onUnreadable } = indexes
  if (opened.get(projectId)?.generation === generation) forget(indexes, projectId)
  // A database that is away, or closed by now, changes nothing: the next question finds the files again.
  if (cache) discard(db, cache, projectId, generation).catch(() => {})
  else onUnreadable(projectId)
}

async function discard(db: Db, cache: IndexCache, projectId: string, generation: number): Promise<void> {
  const [live] = await liveGenerations(db, projectId)
  if (live?.number === generation) await cache.discard(live)
}

function forget({ opened, closing, closedAfterMs = usuallyClosedAfterMs }: Opened, projectId: string): void {
  const current = opened.get(projectId)
  if (!current) return
  opened.delete(projectId)
  const timer = setTimeout(() => {
    closing.delete(timer)
    close(current.index)
  }, closedAfterMs)
  timer.unref()
  closing.set(timer, current)
}

/** Closes indexes that are no longer live: their project was removed, or indexed again. */
async function closeUnused(indexes: Opened): Promise<void> {
  const { db, cache, opened } = indexes
  for (const [projectId, current] of [...opened]) {
    const live = await liveGeneration(db, projectId)
    // With a cache, `follow` opens the next one first.
    const isOver = cache ? !live : live?.number !== current.generation
    if (isOver && opened.get(projectId) === current) forget(indexes, projectId)
  }
}

function readLive(db: Db) {
  return db
    .selectFrom("generation")
    .innerJoin("project", "project.id", "generation.project_id")
    .select([
      "project.id",
      "project.language",
      "project.answers",
      "number",
      "index_format as indexFormat",
      "checksum",
      "archive",
      "passages",
    ])
    .where("live", "=", 1)
    .execute()
}

/** Projects that words alone answer until the vectors of their passages are made. */
async function wordsOnlyIndexes({ db, embeddingNameFor }: LiveIndexDeps) {
  return (await readLive(db)).flatMap(({ id, language, answers, indexFormat, passages }) => {
    const isWanted = embeddingNameFor({ answers }) !== undefined
    const isWordsOnly = isWanted && indexFormat === indexFormatFor({ language }, undefined)
    return isWordsOnly ? [{ projectId: id, passages }] : []
  })
}

/**
 * Projects whose live index has another format or is missing. With `files`, which reads all files, also
 * those whose files are damaged. Where nodes share archives, an index without one is missing.
 */
async function staleIndexes(
  { db, indexDir, cache, embeddingNameFor }: LiveIndexDeps,
  { files }: { files: boolean },
): Promise<string[]> {
  const stale: string[] = []
  for (const { id, language, answers, number, indexFormat, checksum, archive } of await readLive(db)) {
    if (cache && isOfNewerProgram(indexFormat)) continue
    const name = tableName(id, number)
    // An open index is in memory and goes on answering, so nothing else notices that its files are gone.
    const isDamaged = async () => {
      if (cache) return archive === null
      if (files) return checksum !== (await checksumOf(indexDir, name))
      return !(await listIndexes(indexDir)).includes(name)
    }
    if (indexFormat !== indexFormatFor({ language }, embeddingNameFor({ answers })) || (await isDamaged()))
      stale.push(id)
  }
  return stale
}

/** The index is on its way from another node, or its store is away. */
function notHere(projectId: string, cause?: unknown): Refusal {
  return new Refusal("unavailable", detail("assistant.unavailable"), {
    reason: `the index of project ${projectId} is not on this machine yet`,
    retryAfterSeconds: 10,
    cause,
  })
}

/**
 * LanceDB's query objects hold the memory of an index until they are collected. The collector does not see
 * that memory and is in no hurry, so it is asked to run soon.
 */
function close(index: Promise<PassageIndex | undefined>): void {
  index.then(
    (open) => {
      open?.[Symbol.dispose]()
      Bun.gc(false)
    },
    () => {},
  )
}
