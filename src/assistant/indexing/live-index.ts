import { openSemaphore } from "../../base/async.ts"
import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { listIndexes, openIndex, type PassageIndex } from "../index/lance.ts"
import { liveGeneration, recipeFor, tableName } from "./generation.ts"
import { sealOf } from "./seal.ts"

/** The index that answers for a project, and which generation it is. */
export interface LiveIndex {
  index: PassageIndex
  generation: number
}

/** The open indexes of this process. Disposing of it closes them. */
export interface LiveIndexes extends Disposable {
  /**
   * The generation that is live at this moment, whichever process made it so. Do not keep it longer than a
   * question takes: it is closed a little after another has replaced it.
   */
  liveIndex(projectId: string): Promise<LiveIndex | undefined>
  /**
   * Closes what answers no more though nobody has asked since: the index of a project that was removed, or
   * indexed again.
   */
  closeUnused(): Promise<void>
  /**
   * Projects whose live index is of another recipe or gone; with `files`, which reads them all, also those
   * damaged.
   */
  unsound(look: { files: boolean }): Promise<string[]>
}

/** A question in flight may still hold an index that was replaced. */
const usuallyClosedAfterMs = 2 * minuteMs
/**
 * More searches at one time end no sooner, and each takes memory that the process never gives back: a
 * thousand questions at once took 250 MB, and take 100 MB (`bun test/bench/crowd.ts`).
 */
const searchesAtOnce = 16

/**
 * `onUnreadable` is told of a project whose live index cannot be read: the documents are there to build it again.
 */
export function openLiveIndexes(
  db: Db,
  indexDir: string,
  onUnreadable: (projectId: string) => void,
  embeddingName?: string,
  closedAfterMs = usuallyClosedAfterMs,
): LiveIndexes {
  const opened = new Map<string, { generation: number; index: Promise<PassageIndex | undefined> }>()
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
    return index && { index, generation: live.number }
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

  /**
   * What is not in memory can become unreadable: then it is as if there were no index, until it has been
   * built again.
   */
  async function guarded<Found>(
    projectId: string,
    generation: number,
    run: () => Promise<Found>,
  ): Promise<Found> {
    try {
      return await run()
    } catch (error) {
      const live = await liveGeneration(db, projectId)
      const sound =
        live?.number === generation &&
        live.seal === (await sealOf(indexDir, tableName(projectId, generation)))
      if (sound) throw error
      if (live?.number === generation) unreadable(projectId, generation)
      throw new Refusal("not_indexed", detail("assistant.notIndexed"), {
        reason: `the index of project ${projectId} cannot be read`,
        cause: error,
      })
    }
  }

  /** Looked for again at the next question: somebody may have put the files back. */
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

  async function unsound({ files }: { files: boolean }): Promise<string[]> {
    const projects = await db
      .selectFrom("generation")
      .innerJoin("project", "project.id", "generation.project_id")
      .select(["project.id", "project.language", "project.answers", "number", "recipe", "seal"])
      .where("live", "=", 1)
      .execute()
    const found: string[] = []
    for (const { id, language, answers, number, recipe, seal } of projects) {
      const name = tableName(id, number)
      // An open index is in memory and answers on: nobody else would notice that its files are gone.
      const damaged = async () =>
        files ? seal !== (await sealOf(indexDir, name)) : !(await hasIndex(indexDir, name))
      if (recipe !== recipeFor({ language, answers }, embeddingName) || (await damaged())) found.push(id)
    }
    return found
  }

  return {
    liveIndex,
    closeUnused,
    unsound,
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
 * LanceDB's queries hold what an index has read until they are collected, and a collector that does not see
 * that memory is in no hurry: 60 indexes of 4,000 passages, one after another, left 130 MB for good, and
 * leave 20 when it is asked to look round soon.
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
