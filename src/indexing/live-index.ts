import type { Project } from "../accounts/project.ts"
import { openSemaphore, withTimeout } from "../base/async.ts"
import { minuteMs, secondMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { listIndexes } from "../index/lance/index-files.ts"
import { indexFormatFor, isOfNewerProgram } from "../index/lance/index-format.ts"
import { openIndex, type PassageIndex } from "../index/lance/lance.ts"
import { openSynonyms } from "../index/synonyms/synonyms.ts"
import { type ArchivedGeneration, liveGenerations } from "./archives/archived.ts"
import type { IndexCache } from "./archives/index-cache.ts"
import { checksumOf } from "./checksum.ts"
import { liveGeneration, projectOf, tableName } from "./generation.ts"

/** The open index of a project's live generation. */
export interface LiveIndex {
  index: PassageIndex
  generation: number
}

/** The open indexes of this process. Disposing of it closes them. */
export interface LiveIndexes extends Disposable {
  /**
   * The generation that is live now, whichever process switched to it; for a few seconds the one before, while the
   * files are fetched that another node built. Do not keep it longer than a question takes: it is closed a little
   * after another one has replaced it. Throws Refusal `unavailable` when no generation is here yet.
   */
  liveIndex(projectId: string): Promise<LiveIndex | undefined>
  /** Opens what other nodes have switched to, and fetches what is likely to be asked. Called every second or so. */
  follow(): Promise<void>
  /** Closes indexes that are no longer live: their project was removed, or indexed again. */
  closeUnused(): Promise<void>
  /** Names of the indexes that are open, or were until a moment ago. */
  inUse(): Set<string>
  /**
   * Projects whose live index has another format or is missing. With `files`, which reads all files, also
   * those whose files are damaged. Where nodes share archives, an index without one is missing.
   */
  staleIndexes(options: { files: boolean }): Promise<string[]>
  /** Projects that words alone answer until the vectors of their passages are made. */
  wordsOnlyIndexes(): Promise<{ projectId: string; passages: number }[]>
}

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

interface Held {
  generation: number
  index: Promise<PassageIndex | undefined>
}

export function openLiveIndexes(deps: LiveIndexDeps): LiveIndexes {
  const { db, indexDir, cache, onUnreadable, embeddingNameFor, closedAfterMs = usuallyClosedAfterMs } = deps
  const opened = new Map<string, Held>()
  const replacing = new Map<string, Promise<void>>()
  const synonymsOf = openSynonyms(db)
  const searches = openSemaphore(searchesAtOnce)
  const closing = new Map<NodeJS.Timeout, { name: string; index: Held["index"] }>()

  async function liveIndex(projectId: string): Promise<LiveIndex | undefined> {
    const live = await liveGeneration(db, projectId)
    if (!live) {
      forget(projectId)
      return undefined
    }
    const held = await heldFor(projectId, live.number)
    const index = await held.index
    if (!index) {
      if (cache) throw notHere(projectId)
      return undefined
    }
    cache?.used(projectId, held.generation)
    const synonyms = await synonymsOf(projectId, index.language)
    return { index: synonyms ? { ...index, synonyms } : index, generation: held.generation }
  }

  async function heldFor(projectId: string, number: number): Promise<Held> {
    const held = opened.get(projectId)
    if (held?.generation === number) return held
    if (!cache) {
      forget(projectId)
      return hold(projectId, number)
    }
    const [live] = await liveGenerations(db, projectId)
    if (!live) throw notHere(projectId)
    if (!replacing.has(projectId) && (await cache.has(live))) return hold(projectId, live.number)
    const older = held ?? (await olderOf(cache, live))
    if (older) {
      void replace(cache, live)
      return older
    }
    const late = () => notHere(projectId)
    await withTimeout(cache.fetch(live), fetchedWithinMs, late)
    if (!(await cache.has(live))) throw notHere(projectId)
    return hold(projectId, live.number)
  }

  /** Opens the files that answered before, if they are here still: after a restart, say. */
  async function olderOf(cache: IndexCache, { projectId, number }: ArchivedGeneration) {
    const older = await cache.olderThan(projectId, number)
    if (older === undefined) return undefined
    const held = hold(projectId, older)
    return (await held.index) && held
  }

  /** Fetches and opens a generation; until it is open, the older one answers. Never rejects. */
  function replace(cache: IndexCache, live: ArchivedGeneration): Promise<void> {
    const { projectId, number } = live
    const underWay = replacing.get(projectId)
    if (underWay) return underWay
    const replaced = (async () => {
      await cache.fetch(live)
      const held = opened.get(projectId)
      if (held?.generation === number || !(await cache.has(live))) return
      const next = { generation: number, index: open(projectId, number) }
      if (!(await next.index) || opened.get(projectId) !== held) return
      forget(projectId)
      opened.set(projectId, next)
    })()
      .catch(() => {})
      .finally(() => replacing.delete(projectId))
    replacing.set(projectId, replaced)
    return replaced
  }

  async function follow(): Promise<void> {
    if (!cache) return
    const lives = await liveGenerations(db)
    const folder = await cache.look(lives)
    for (const live of lives) {
      const { projectId, number } = live
      const held = opened.get(projectId)
      if (held?.generation === number) continue
      if (held) void replace(cache, live)
      else if (!(await cache.has(live)) && folder.wants(live)) void cache.fetch(live)
    }
    const open = inUse()
    for (const name of folder.surplus())
      if (open.has(name)) forget(projectOf(name))
      else await cache.evict(name)
  }

  function inUse(): Set<string> {
    return new Set([
      ...[...opened].map(([projectId, { generation }]) => tableName(projectId, generation)),
      ...[...closing.values()].map(({ name }) => name),
    ])
  }

  function hold(projectId: string, generation: number): Held {
    const held = opened.get(projectId)
    if (held?.generation === generation) return held
    forget(projectId)
    const next = { generation, index: open(projectId, generation) }
    opened.set(projectId, next)
    return next
  }

  async function open(projectId: string, generation: number): Promise<PassageIndex | undefined> {
    const name = tableName(projectId, generation)
    const index = await openIndex(indexDir, name)
    if (!index) {
      unreadable(projectId, generation)
      return undefined
    }
    return {
      ...index,
      search: (...asked) => guarded(projectId, generation, () => searches.run(() => index.search(...asked))),
      nearest: (...asked) =>
        guarded(projectId, generation, () => searches.run(() => index.nearest(...asked))),
    }
  }

  /** Files that are not in memory can become unreadable. The project then counts as not indexed. */
  async function guarded<Found>(
    projectId: string,
    generation: number,
    run: () => Promise<Found>,
  ): Promise<Found> {
    try {
      return await run()
    } catch (error) {
      const live = await liveGeneration(db, projectId)
      const isIntact =
        live?.number === generation &&
        live.checksum === (await checksumOf(indexDir, tableName(projectId, generation)))
      if (isIntact) throw error
      if (live?.number === generation) unreadable(projectId, generation)
      if (cache) throw notHere(projectId, error)
      throw new Refusal("not_indexed", detail("assistant.notIndexed"), {
        reason: `the index of project ${projectId} cannot be read`,
        cause: error,
      })
    }
  }

  /** Forgets the open index. The next question opens it again, in case the files are back. */
  function unreadable(projectId: string, generation: number): void {
    if (opened.get(projectId)?.generation === generation) forget(projectId)
    // A database that is away, or closed by now, changes nothing: the next question finds the files again.
    if (cache) discard(cache, projectId, generation).catch(() => {})
    else onUnreadable(projectId)
  }

  async function discard(cache: IndexCache, projectId: string, generation: number): Promise<void> {
    const [live] = await liveGenerations(db, projectId)
    if (live?.number === generation) await cache.discard(live)
  }

  function forget(projectId: string): void {
    const held = opened.get(projectId)
    if (!held) return
    opened.delete(projectId)
    const timer = setTimeout(() => {
      closing.delete(timer)
      close(held.index)
    }, closedAfterMs)
    timer.unref()
    closing.set(timer, { name: tableName(projectId, held.generation), index: held.index })
  }

  async function closeUnused(): Promise<void> {
    for (const [projectId, held] of [...opened]) {
      const live = await liveGeneration(db, projectId)
      // With a cache, `follow` opens the next one first.
      const isOver = cache ? !live : live?.number !== held.generation
      if (isOver && opened.get(projectId) === held) forget(projectId)
    }
  }

  function liveIndexes() {
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

  async function wordsOnlyIndexes() {
    return (await liveIndexes()).flatMap(({ id, language, answers, indexFormat, passages }) => {
      const isWanted = embeddingNameFor({ answers }) !== undefined
      const isWordsOnly = isWanted && indexFormat === indexFormatFor({ language }, undefined)
      return isWordsOnly ? [{ projectId: id, passages }] : []
    })
  }

  async function staleIndexes({ files }: { files: boolean }): Promise<string[]> {
    const stale: string[] = []
    for (const { id, language, answers, number, indexFormat, checksum, archive } of await liveIndexes()) {
      if (cache && isOfNewerProgram(indexFormat)) continue
      const name = tableName(id, number)
      // An open index is in memory and goes on answering, so nothing else notices that its files are gone.
      const isDamaged = async () => {
        if (cache) return archive === null
        return files ? checksum !== (await checksumOf(indexDir, name)) : !(await hasIndex(indexDir, name))
      }
      if (indexFormat !== indexFormatFor({ language }, embeddingNameFor({ answers })) || (await isDamaged()))
        stale.push(id)
    }
    return stale
  }

  return {
    liveIndex,
    follow,
    closeUnused,
    inUse,
    staleIndexes,
    wordsOnlyIndexes,
    [Symbol.dispose]() {
      for (const timer of closing.keys()) clearTimeout(timer)
      for (const { index } of closing.values()) close(index)
      for (const { index } of opened.values()) close(index)
      closing.clear()
      opened.clear()
    },
  }
}

/** The index is on its way from another node, or its store is away. */
function notHere(projectId: string, cause?: unknown): Refusal {
  return new Refusal("unavailable", detail("assistant.unavailable"), {
    reason: `the index of project ${projectId} is not on this machine yet`,
    retryAfterSeconds: 10,
    cause,
  })
}

async function hasIndex(indexDir: string, name: string): Promise<boolean> {
  return (await listIndexes(indexDir)).includes(name)
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
