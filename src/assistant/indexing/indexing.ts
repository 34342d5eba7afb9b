import { findProject, type Project } from "../../accounts/project.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { takeLock } from "../../db/sqlite/lock.ts"
import type { Passage } from "../documents/document.ts"
import { splitDocument } from "../documents/passages/split-document.ts"
import type { PassageEmbedding } from "../embedding/embed-passages.ts"
import type { Embedder } from "../embedding/embedder.ts"
import type { Feed, FeedReader } from "../feeds/feed.ts"
import type { Parser } from "../feeds/parser.ts"
import { buildIndex } from "../index/lance.ts"
import {
  abandonGeneration,
  beginGeneration,
  continueGeneration,
  type LiveGeneration,
  liveGeneration,
  recipeFor,
  recordReadings,
  switchGeneration,
  tableName,
} from "./generation.ts"
import { type Indexed, type Progress, recordRun } from "./indexing-run.ts"
import { type Reading, readFeed } from "./reading.ts"
import { sealDurably, sealOf } from "./seal.ts"
import { countDocuments, documentsOf, forgetVersions, stageRemovals, storedPages } from "./stored-document.ts"
import { beginReading, forgetReading, unfinishedReading } from "./unfinished-reading.ts"
import { dropUnusedTables } from "./unused-tables.ts"

export interface IndexingTools {
  db: Db
  clock: Clock
  dataDir: string
  indexDir: string
  readerFor(project: Project, parser: Parser): FeedReader
  /** Reads what sites and folders hold, within limits. */
  openParser(): Parser & AsyncDisposable
  /** None: words alone find passages. */
  embedding?: PassageEmbedding | undefined
}

export interface IndexingOptions {
  /** The feeds to read; none: the index is built from the stored documents. */
  feeds: Feed[]
  /** Goes, with its documents. */
  removedFeed?: Feed
  force: boolean
  signal: AbortSignal
  /**
   * What was read stays when `signal` is aborted, and the next resumable run goes on from there; another one
   * begins anew. For whoever has to give way to others.
   */
  resumable?: boolean
  onProgress(progress: Progress): void
}

/**
 * Reads feeds and brings the index of the project to what they say: a new generation is built beside the live
 * one and takes its place at one moment. Wherever it is cut off, the live one goes on answering and the next
 * run cleans up. Throws Refusal `conflict` while another run holds the project, or when the only feed is
 * refused; `project_not_found` when the project was removed meanwhile.
 */
export async function indexProject(
  tools: IndexingTools,
  project: Project,
  options: IndexingOptions,
): Promise<Indexed> {
  using lock = takeLock(tools.dataDir, `index-${project.id}`)
  if (!lock)
    throw new Refusal("conflict", detail("assistant.beingIndexed"), {
      reason: `project ${project.id} is being indexed by another process: wait for it to end`,
    })
  try {
    // Awaited here: the lock is held as long as this runs.
    return await recordRun(tools, project.id, options, (onProgress) =>
      indexLocked(tools, project, { ...options, onProgress }),
    )
  } catch (error) {
    // Whatever went wrong with a project that is not there any more.
    if (await findProject(tools.db, project.id)) throw error
    throw new Refusal("project_not_found", detail("assistant.projectNotFound"), {
      reason: `project ${project.id} was removed while it was being indexed`,
    })
  }
}

/** While nobody else indexes the project. */
async function indexLocked(
  tools: IndexingTools,
  project: Project,
  options: IndexingOptions,
): Promise<Indexed> {
  const { db, clock } = tools
  const live = await liveGeneration(db, project.id)
  const { number, beganMs } = await begin(tools, project, options)
  let switched = false
  let unchanged = false
  try {
    const { readings, refused } = await readFeeds(tools, project, number, options)
    if (options.removedFeed) await stageRemoval(db, options.removedFeed, number)
    const documents = await countDocuments(db, project.id, number)
    const read = readings.map(({ feed, skipped }) => ({ feed, skipped }))
    const outcome = { documents, refused, ...totals(readings) }
    const seconds = () => Math.round(performance.now() - beganMs) / 1000

    const changed = options.removedFeed || readings.some((reading) => reading.changed + reading.removed > 0)
    const passages = changed ? undefined : await standingPassages(tools, project, live)
    if (passages !== undefined) {
      await db.transaction().execute((transaction) => recordReadings(transaction, read, clock.now()))
      unchanged = true
      return { ...outcome, passages, spent: undefined, seconds: seconds() }
    }
    const embedding =
      project.answers === "extractive"
        ? undefined
        : tools.embedding?.begin({
            projectId: project.id,
            generation: number,
            signal: options.signal,
            onProgress: (spent) =>
              options.onProgress({ phase: "embedding", done: spent.embedded, total: undefined, spent }),
          })
    const built = await build(tools, project, { number, documents, embedding }, options)
    const removedFeedId = options.removedFeed?.id
    await switchGeneration(
      db,
      { projectId: project.id, number, documents, ...built, read, removedFeedId },
      clock.now(),
    )
    switched = true
    // The new generation answers: what it replaced, and cannot be deleted now, is no failure of this run. A
    // later one deletes it.
    await forgetVersions(db, project.id, number).catch(() => {})
    await embedding?.settle().catch(() => {})
    return { ...outcome, passages: built.passages, spent: embedding?.spent, seconds: seconds() }
  } finally {
    if (switched) await forgetReading(db, project.id).catch(() => {})
    else if (unchanged || !givesWay(options)) await abandonGeneration(db, project.id, number)
    await dropUnusedTables(tools)
  }
}

/** The generation to build, and when that was begun on the clock of `performance`. */
async function begin(
  { db, clock, embedding }: IndexingTools,
  project: Project,
  { resumable = false }: IndexingOptions,
): Promise<{ number: number; beganMs: number }> {
  const recipe = recipeFor(project, embedding?.name)
  const nowMs = clock.now()
  const unfinished = resumable ? await unfinishedReading(db, project.id, nowMs) : undefined
  if (unfinished) {
    await continueGeneration(db, project.id, unfinished.generation, recipe)
    return { number: unfinished.generation, beganMs: performance.now() - (nowMs - unfinished.begunAt) }
  }
  const number = await beginGeneration(db, project.id, recipe, nowMs)
  if (resumable) await beginReading(db, project.id, number, nowMs)
  return { number, beganMs: performance.now() }
}

/** Whether the run ends because others want to have their turn. */
function givesWay({ resumable, signal }: Pick<IndexingOptions, "resumable" | "signal">): boolean {
  return resumable === true && signal.aborted
}

/** Feeds stand for themselves: what happens to one leaves the others' documents alone. */
async function readFeeds(
  tools: IndexingTools,
  project: Project,
  generation: number,
  { feeds, force, signal, resumable = false, onProgress }: IndexingOptions,
): Promise<{ readings: Reading[]; refused: Indexed["refused"] }> {
  const readings: Reading[] = []
  const refused: Indexed["refused"] = []
  await using parser = tools.openParser()
  const reading = { ...tools, readFeed: tools.readerFor(project, parser) }
  let readBefore = 0
  for (const feed of feeds) {
    let pages = 0
    const onPage = (count: number) => {
      pages = count
      onProgress({ phase: "reading", done: readBefore + count, total: undefined })
    }
    try {
      readings.push(await readFeed(reading, feed, { generation, force, signal, resumable, onPage }))
    } catch (error) {
      if (!(error instanceof Refusal) || feeds.length === 1) throw error
      refused.push({ feed, refusal: error })
    }
    readBefore += pages
  }
  return { readings, refused }
}

async function stageRemoval(db: Db, feed: Feed, generation: number): Promise<void> {
  await stageRemovals(db, feed.id, generation, await storedPages(db, feed.id, generation))
}

function totals(readings: Reading[]) {
  return {
    unchanged: readings.reduce((sum, { unchanged }) => sum + unchanged, 0),
    removed: readings.reduce((sum, { removed }) => sum + removed, 0),
    skipped: readings.flatMap(({ skipped }) => skipped),
  }
}

/** How many passages the live index has if it can stay as it is; undefined when it must be built again. */
async function standingPassages(
  { indexDir, embedding }: IndexingTools,
  project: Project,
  live: LiveGeneration | undefined,
): Promise<number | undefined> {
  if (live?.recipe !== recipeFor(project, embedding?.name)) return undefined
  const name = tableName(project.id, live.number)
  return (await sealOf(indexDir, name)) === live.seal ? live.passages : undefined
}

async function build(
  { db, indexDir }: IndexingTools,
  project: Project,
  { number, documents, embedding }: { number: number; documents: number; embedding: Embedder | undefined },
  { signal, onProgress }: IndexingOptions,
): Promise<{ passages: number; seal: string }> {
  const name = tableName(project.id, number)
  async function* passages(): AsyncGenerator<Passage> {
    let done = 0
    for await (const document of documentsOf(db, project.id, number)) {
      signal.throwIfAborted()
      yield* splitDocument(document)
      onProgress({ phase: "building", done: ++done, total: documents })
    }
  }
  const built = await buildIndex(indexDir, name, project.language, passages(), embedding)
  return { passages: built.passages, seal: await sealDurably(indexDir, name) }
}
