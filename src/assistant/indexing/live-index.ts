import type { Project } from "../../accounts/project.ts"
import { openSemaphore } from "../../base/async.ts"
import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { listIndexes, openIndex, type PassageIndex } from "../index/lance.ts"
import { openSynonyms } from "../synonyms/synonyms.ts"
import { checksumOf } from "./checksum.ts"
import { indexFormatFor, liveGeneration, tableName } from "./generation.ts"

/** The open index of a project's live generation. */
export interface LiveIndex {
  index: PassageIndex
  generation: number
}

/** The open indexes of this process. Disposing of it closes them. */
export interface LiveIndexes extends Disposable {
  /**
   * The generation that is live now, whichever process switched to it. Do not keep it longer than a question
   * takes: it is closed a little after another one has replaced it.
   */
  liveIndex(projectId: string): Promise<LiveIndex | undefined>
  /** Closes indexes that are no longer live: their project was removed, or indexed again. */
  closeUnused(): Promise<void>
  /**
   * Projects whose live index has another format or is missing. With `files`, which reads all files, also
   * those whose files are damaged.
   */
  staleIndexes(options: { files: boolean }): Promise<string[]>
  /** Projects that words alone answer until the vectors of their passages are made. */
  wordsOnlyIndexes(): Promise<{ projectId: string; passages: number }[]>
}

/** A question may still use an index that was replaced. */
const usuallyClosedAfterMs = 2 * minuteMs
/**
 * More searches at once end no sooner, and each takes memory that the process never gives back: a thousand
 * questions at once took 250 MB instead of 100 MB (`bun test/bench/crowd.ts`).
 */
const searchesAtOnce = 16

/**
 * `onUnreadable` receives each project whose live index cannot be read and has to be rebuilt from the stored
 * documents.
 */
export function openLiveIndexes(
  db: Db,
  indexDir: string,
  onUnreadable: (projectId: string) => void,
  embeddingNameFor: (project: Pick<Project, "answers">) => string | undefined,
  closedAfterMs = usuallyClosedAfterMs,
): LiveIndexes {
  const opened = new Map<string, { generation: number; index: Promise<PassageIndex | undefined> }>()
  const synonymsOf = openSynonyms(db)
  const searches = openSemaphore(searchesAtOnce)
  const closing = new Map<NodeJS.Timeout, Promise<PassageIndex | undefined>>()

  async function liveIndex(projectId: string): Promise<LiveIndex | undefined> {
    const live = await liveGeneration(db, projectId)
    let held = opened.get(projectId)
    if (held && held.generation !== live?.number) forget(projectId)
    if (!live) return undefined
    held = opened.get(projectId)
    if (!held) {
      held = { generation: live.number, index: open(projectId, live.number) }
      opened.set(projectId, held)
    }
    const index = await held.index
    if (!index) return undefined
    const synonyms = await synonymsOf(projectId, index.language)
    return { index: synonyms ? { ...index, synonyms } : index, generation: live.number }
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
      search: (terms, limit) =>
        guarded(projectId, generation, () => searches.run(() => index.search(terms, limit))),
      nearest: (vector, limit) =>
        guarded(projectId, generation, () => searches.run(() => index.nearest(vector, limit))),
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
      throw new Refusal("not_indexed", detail("assistant.notIndexed"), {
        reason: `the index of project ${projectId} cannot be read`,
        cause: error,
      })
    }
  }

  /** Forgets the open index. The next question opens it again, in case the files are back. */
  function unreadable(projectId: string, generation: number): void {
    if (opened.get(projectId)?.generation === generation) forget(projectId)
    onUnreadable(projectId)
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
    closing.set(timer, held.index)
  }

  async function closeUnused(): Promise<void> {
    for (const [projectId, held] of [...opened]) {
      const live = await liveGeneration(db, projectId)
      if (live?.number !== held.generation && opened.get(projectId) === held) forget(projectId)
    }
  }

  function liveIndexes() {
    return db
      .selectFrom("generation")
      .innerJoin("project", "project.id", "generation.project_id")
      .select(["project.id", "project.language", "project.answers", "number", "recipe", "seal", "passages"])
      .where("live", "=", 1)
      .execute()
  }

  async function wordsOnlyIndexes() {
    return (await liveIndexes()).flatMap(({ id, language, answers, recipe, passages }) => {
      const isWanted = embeddingNameFor({ answers }) !== undefined
      const isWordsOnly = isWanted && recipe === indexFormatFor({ language }, undefined)
      return isWordsOnly ? [{ projectId: id, passages }] : []
    })
  }

  async function staleIndexes({ files }: { files: boolean }): Promise<string[]> {
    const stale: string[] = []
    for (const { id, language, answers, number, recipe, seal } of await liveIndexes()) {
      const name = tableName(id, number)
      // An open index is in memory and goes on answering, so nothing else notices that its files are gone.
      const isDamaged = async () =>
        files ? seal !== (await checksumOf(indexDir, name)) : !(await hasIndex(indexDir, name))
      if (recipe !== indexFormatFor({ language }, embeddingNameFor({ answers })) || (await isDamaged()))
        stale.push(id)
    }
    return stale
  }

  return {
    liveIndex,
    closeUnused,
    staleIndexes,
    wordsOnlyIndexes,
    [Symbol.dispose]() {
      for (const timer of closing.keys()) clearTimeout(timer)
      for (const index of closing.values()) close(index)
      for (const { index } of opened.values()) close(index)
      closing.clear()
      opened.clear()
    },
  }
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
