import { findProject, type Project } from "../accounts/project.ts"
import type { Clock } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db, Lock } from "../db/connection.ts"
import type { PassageEmbedding } from "../index/embedding/embed-passages.ts"
import type { Embedder } from "../index/embedding/embedder.ts"
import { checksumOf } from "../index/lance/index-files.ts"
import { indexFormatFor } from "../index/lance/index-format.ts"
import { buildIndex } from "../index/lance/lance.ts"
import { removeFeed } from "../reading/feed.ts"
import type { Passage } from "../reading/formats/document.ts"
import { noRepeatedText, type RepeatedText, repeatedTextJson } from "../reading/formats/repeated.ts"
import type { Feed } from "../reading/kinds/table.ts"
import type { Parser } from "../reading/parser.ts"
import { splitDocument } from "../reading/passages/split-document.ts"
import type { FeedReader } from "../reading/reader.ts"
import type { ObjectStore } from "../storage/object-store.ts"
import { storeArchive } from "./archives/store-archive.ts"
import type { Building } from "./building.ts"
import {
  abandonGeneration,
  beginGeneration,
  changeFormat,
  type LiveGeneration,
  liveGeneration,
  recordUnchanged,
  resumeGeneration,
  switchGeneration,
  tableName,
} from "./generation.ts"
import { type IndexingResult, isModelBroken, type Progress, recordRun } from "./indexing-run.ts"
import { type Reading, readFeed } from "./reading.ts"
import { repeatedOf } from "./site-repetition.ts"
import { countDocuments, documentsOf, forgetVersions, stageRemovals, storedPages } from "./stored-document.ts"
import { beginReading, forgetHandledOf, unfinishedReading } from "./unfinished-reading.ts"
import { dropUnusedTables } from "./unused-tables.ts"

export interface IndexingDeps {
  db: Db
  clock: Clock
  /** Takes a lock among all processes that use the database; undefined when another one holds it. */
  takeLock(name: string): Promise<Lock | undefined>
  indexDir: string
  /** Where other nodes fetch an index from; undefined where this machine alone answers. */
  archives: { store: ObjectStore; patienceMs: number | undefined } | undefined
  /** The reader asks for no further page once `giveWay` is aborted, and throws its reason when it has read the rest. */
  readerFor(project: Project, parser: Parser, giveWay: AbortSignal | undefined): FeedReader
  /** Opens a parser of hostile text, with limits on time and memory. */
  openParser(): Parser & AsyncDisposable
  /** Undefined when the project's passages have no vectors and are found by words alone. */
  embeddingFor(project: Pick<Project, "answers">): PassageEmbedding | undefined
}

export interface IndexingOptions {
  /** The feeds to read. With none, the index is built from the stored documents. */
  feeds: Feed[]
  /** A feed to remove with its documents. */
  removedFeed?: Feed
  force: boolean
  /** Ends the run at once. */
  signal: AbortSignal
  /** Ends the run too, after the pages that are on the wire, so that no page is asked for twice. */
  giveWay?: AbortSignal
  /**
   * Keeps the pages read so far when the run is ended. The next resumable run goes on from there; one that
   * is not resumable begins anew.
   */
  resumable?: boolean
  /** Leaves the vectors to a later run: `serve` makes them within a minute. */
  wordsOnly?: boolean
  /** Called when the words answer, before the vectors are made. */
  onWords?(indexed: IndexingResult): void
  onProgress(progress: Progress): void
}

/**
 * Reads feeds and builds a new generation of the index beside the live one, which it then replaces in one
 * transaction. Where many vectors are missing, words answer first; a second generation adds the vectors. Wherever
 * the run is cut off, the live generation goes on answering and the next run cleans up.
 * Throws Refusal `conflict` while another run holds the project's lock; `project_not_found` when the project
 * was removed meanwhile; the feed's own Refusal when the only feed cannot be read.
 */
export async function indexProject(
  deps: IndexingDeps,
  project: Project,
  options: IndexingOptions,
): Promise<IndexingResult> {
  await using lock = await deps.takeLock(`index-${project.id}`)
  if (!lock)
    throw new Refusal("conflict", detail("assistant.beingIndexed"), {
      reason: `project ${project.id} is being indexed by another process: wait for it to end`,
    })
  try {
    // Awaited here, so that the lock is held until the run ends.
    const keepsReading = options.feeds.length === 0 && !options.removedFeed
    const held = { ...options, signal: AbortSignal.any([options.signal, lock.lost]) }
    const run = { ...held, keepsReading, signal: endOf(held) }
    return await recordRun(deps, project.id, run, (onProgress) =>
      indexInStages(deps, project, { ...held, onProgress }),
    )
  } catch (error) {
    // Without its project, a run can fail in any way.
    if (await findProject(deps.db, project.id)) throw error
    throw new Refusal("project_not_found", detail("assistant.projectNotFound"), {
      reason: `project ${project.id} was removed while it was being indexed`,
    })
  }
}

/** The caller holds the project's lock. */
async function indexInStages(deps: IndexingDeps, project: Project, options: IndexingOptions) {
  const first = await indexLocked(deps, project, options)
  if (first.missingVectors === 0 || first.vectorFailure || options.wordsOnly) return first
  options.onWords?.(first)
  const { removedFeed: _, ...rest } = options
  const second = await indexLocked(deps, project, { ...rest, feeds: [], withVectors: true }).catch(
    (error: unknown) => {
      if (isModelBroken(error)) return { vectorFailure: error }
      throw error
    },
  )
  if (!("passages" in second)) return { ...first, ...second }
  const seconds = Math.round((first.seconds + second.seconds) * 1000) / 1000
  return { ...first, passages: second.passages, spent: second.spent, missingVectors: 0, seconds }
}

async function indexLocked(
  deps: IndexingDeps,
  project: Project,
  options: IndexingOptions & { withVectors?: boolean },
): Promise<IndexingResult> {
  const { db, clock } = deps
  const live = await liveGeneration(db, project.id)
  const { building, beganMs } = await begin(deps, project, options)
  const { number } = building
  let switched = false
  let unchanged = false
  try {
    const { readings, refused } = await readFeeds(deps, project, building, options)
    if (options.removedFeed) await stageRemoval(db, options.removedFeed, building)
    const documents = await countDocuments(db, project.id, number)
    const read = readings.map(({ feed, generator, skipped, repeated }) => ({
      feed,
      generator,
      skipped,
      repeated,
    }))
    const before = await repeatedOf(db, project.id)
    const repeated = new Map([...before, ...read.map(({ feed, repeated }) => [feed.id, repeated] as const)])
    const isRepeatedAnew = read.some(
      ({ feed, repeated }) =>
        repeatedTextJson(repeated) !== repeatedTextJson(before.get(feed.id) ?? noRepeatedText),
    )
    const outcome = { documents, refused, ...totals(readings) }
    const seconds = () => Math.round(performance.now() - beganMs) / 1000

    const changed =
      options.removedFeed ||
      isRepeatedAnew ||
      readings.some((reading) => reading.changed + reading.removed > 0)
    const passages = changed ? undefined : await reusablePassages(deps, project, live)
    if (passages !== undefined) {
      await recordUnchanged(db, building, read, clock.now())
      unchanged = true
      const vectors = { spent: undefined, missingVectors: 0, vectorFailure: undefined }
      return { ...outcome, passages, ...vectors, seconds: seconds() }
    }
    const vectors = deps.embeddingFor(project)
    const { total, missing } = vectors
      ? await countVectors(deps, project, { number, repeated }, vectors)
      : { total: undefined, missing: 0 }
    const wordsAnswer = !changed && (await isCurrent(deps, project, live, undefined))
    const isWordsFirst =
      !options.withVectors &&
      !wordsAnswer &&
      (missing > maxVectorsAtOnce || (options.wordsOnly && missing > 0))
    const embedding = isWordsFirst
      ? undefined
      : vectors?.begin({
          projectId: project.id,
          language: project.language,
          generation: number,
          signal: endOf(options),
          onProgress: (spent) =>
            options.onProgress({ phase: "embedding", done: spent.embedded, total, spent }),
        })
    const buildWords = async () => {
      if (vectors) await changeFormat(db, building, indexFormatFor(project, undefined))
      return build(deps, project, { number, documents, repeated, embedding: undefined }, options)
    }
    let vectorFailure: Refusal | undefined
    const built = embedding
      ? await build(deps, project, { number, documents, repeated, embedding }, options).catch(
          (error: unknown) => {
            // A broken model keeps no documentation from answering, unless its words answer already.
            if (options.withVectors || wordsAnswer || !isModelBroken(error)) throw error
            vectorFailure = error
            return buildWords()
          },
        )
      : await buildWords()
    await switchGeneration(db, { building, documents, ...built, read }, clock.now())
    switched = true
    // The new generation is live. Old versions that cannot be deleted now are deleted by a later run.
    await forgetVersions(db, project.id, number).catch(() => {})
    if (options.removedFeed) await removeFeed(db, options.removedFeed.id)
    await embedding?.settle().catch(() => {})
    return {
      ...outcome,
      passages: built.passages,
      spent: vectorFailure ? undefined : embedding?.spent,
      missingVectors: embedding && !vectorFailure ? 0 : missing,
      vectorFailure,
      seconds: seconds(),
    }
  } finally {
    if (switched) await forgetHandledOf(db, project.id).catch(() => {})
    else if (unchanged || !givesWay(options)) await abandonGeneration(db, building, clock.now())
    // With archives, the folder belongs to the service: it may still answer from an older index there.
    if (!deps.archives) await dropUnusedTables(deps)
  }
}

/** The generation to build, new or resumed. `beganMs` is its start on the clock of `performance`. */
async function begin(
  { db, clock, embeddingFor }: IndexingDeps,
  project: Project,
  { resumable = false }: IndexingOptions,
): Promise<{ building: Building; beganMs: number }> {
  const indexFormat = indexFormatFor(project, embeddingFor(project)?.name)
  const nowMs = clock.now()
  const unfinished = resumable ? await unfinishedReading(db, project.id, nowMs) : undefined
  const resumed = unfinished && (await resumeGeneration(db, project.id, unfinished.generation, indexFormat))
  if (resumed) return { building: resumed, beganMs: performance.now() - (nowMs - unfinished.begunAt) }
  const building = await beginGeneration(db, project.id, indexFormat, nowMs)
  if (resumable) await beginReading(db, building, nowMs)
  return { building, beganMs: performance.now() }
}

type RunEnds = Pick<IndexingOptions, "resumable" | "signal" | "giveWay">

/** Aborted when the run ends before it is done, at once or not. */
function endOf({ signal, giveWay }: RunEnds): AbortSignal {
  return giveWay ? AbortSignal.any([signal, giveWay]) : signal
}

/** Whether the run was ended to let others have their turn, and resumes later. */
function givesWay(options: RunEnds): boolean {
  return options.resumable === true && endOf(options).aborted
}

/** Reads each feed on its own: a refusal of one leaves the documents of the others alone. */
async function readFeeds(
  deps: IndexingDeps,
  project: Project,
  building: Building,
  options: IndexingOptions,
): Promise<{ readings: Reading[]; refused: IndexingResult["refused"] }> {
  const { feeds, force, signal, giveWay, resumable = false, onProgress } = options
  const readings: Reading[] = []
  const refused: IndexingResult["refused"] = []
  await using parser = deps.openParser()
  const reading = { ...deps, readFeed: deps.readerFor(project, parser, giveWay) }
  let readBefore = 0
  for (const feed of feeds) {
    let pages = 0
    let listed: number | undefined
    const onPage = (count: number) => {
      pages = count
      // Problems of a list and linked documents come on top of what was listed.
      const total = listed === undefined ? undefined : readBefore + Math.max(listed, count)
      onProgress({ phase: "reading", done: readBefore + count, total })
    }
    const onListed = (count: number) => {
      listed = count
      onPage(pages)
    }
    const ends = { signal, giveWay, resumable }
    try {
      readings.push(await readFeed(reading, feed, { building, force, ...ends, onPage, onListed }))
    } catch (error) {
      if (!(error instanceof Refusal) || feeds.length === 1 || endOf(options).aborted) throw error
      refused.push({ feed, refusal: error })
    }
    readBefore += pages
  }
  return { readings, refused }
}

async function stageRemoval(db: Db, feed: Feed, building: Building): Promise<void> {
  await stageRemovals(db, feed.id, building, await storedPages(db, feed.id, building.number))
}

function totals(readings: Reading[]) {
  return {
    unchanged: readings.reduce((sum, { unchanged }) => sum + unchanged, 0),
    removed: readings.reduce((sum, { removed }) => sum + removed, 0),
    skipped: readings.flatMap(({ skipped }) => skipped),
    pages: readings.reduce(
      (sum, { changed, unchanged, skipped }) => sum + changed + unchanged + skipped.length,
      0,
    ),
    generators: readings.flatMap(({ feed, generator }) => (generator ? [{ feed, generator }] : [])),
  }
}

/** Number of passages of the live index if it can stay; undefined when it must be rebuilt. */
async function reusablePassages(deps: IndexingDeps, project: Project, live: LiveGeneration | undefined) {
  const isReusable = await isCurrent(deps, project, live, deps.embeddingFor(project)?.name)
  return isReusable ? live?.passages : undefined
}

/** Whether the live index is undamaged and of today's format, with these vectors or with none. */
async function isCurrent(
  { indexDir, archives }: IndexingDeps,
  project: Project,
  live: LiveGeneration | undefined,
  embeddingName: string | undefined,
): Promise<boolean> {
  if (live?.indexFormat !== indexFormatFor(project, embeddingName)) return false
  if (archives) return live.archive !== null
  return (await checksumOf(indexDir, tableName(project.id, live.number))) === live.checksum
}

/** Vectors that are made before the words answer: some seconds of work, which a change of a few pages takes. */
const maxVectorsAtOnce = 64

/** Passages of the generation being built, and how many of them have no stored vector yet. */
async function countVectors(
  { db }: IndexingDeps,
  { id, language }: Project,
  { number, repeated }: Pick<Built, "number" | "repeated">,
  vectors: PassageEmbedding,
): Promise<{ total: number; missing: number }> {
  let total = 0
  let missing = 0
  for await (const document of documentsOf(db, id, number, repeated)) {
    const passages = splitDocument(document)
    total += passages.length
    missing += await vectors.countMissing(id, language, passages)
  }
  return { total, missing }
}

/** A generation to build from stored documents. */
interface Built {
  number: number
  documents: number
  /** By feed: text that is left out of its pages. */
  repeated: ReadonlyMap<string, RepeatedText>
  embedding: Embedder | undefined
}

async function build(
  { db, clock, indexDir, archives }: IndexingDeps,
  project: Project,
  { number, documents, repeated, embedding }: Built,
  options: IndexingOptions,
): Promise<{ passages: number; checksum: string; archive: string | null }> {
  const name = tableName(project.id, number)
  const { onProgress } = options
  const ended = endOf(options)
  async function* passages(): AsyncGenerator<Passage> {
    let done = 0
    for await (const document of documentsOf(db, project.id, number, repeated)) {
      ended.throwIfAborted()
      yield* splitDocument(document)
      // Vectors take longer by far: only their progress is told.
      if (!embedding) onProgress({ phase: "building", done: ++done, total: documents })
    }
  }
  const built = await buildIndex(indexDir, name, project.language, passages(), embedding)
  const checksum = await checksumOf(indexDir, name, { durably: true })
  const archive =
    archives && built.passages > 0
      ? await storeArchive({ db, clock, indexDir, ...archives }, project.id, number, ended)
      : null
  return { passages: built.passages, checksum, archive }
}
