import { join } from "node:path"
import { connect, Index, MatchQuery, type Table } from "@lancedb/lancedb"
import { type Table as ArrowTable, Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from "apache-arrow"
import type { Language } from "../../accounts/project.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { type Embedder, measureCosineScale, type VectorInfo } from "../embedding/embedder.ts"
import type { Synonyms } from "../synonyms/synonyms.ts"
import { analyse, analyserVersion } from "../text/analyse.ts"
import { buildHeadingIndex, type HeadingIndex } from "./heading-index.ts"
import { dropIndex, vocabularyFile } from "./index-files.ts"
import { type IndexedPages, listPages } from "./indexed-pages.ts"
import { setLanceThreads } from "./lance-threads.ts"
import { openPassages, type PassageFile, passageRecord } from "./passage-file.ts"
import { writeRows } from "./row-file.ts"
import { type RankedRow, type RowSet, rankedWithin } from "./row-set.ts"
import { openVectors, type VectorFile, vectorRecord } from "./vector-file.ts"
import { type OpenVocabulary, openVocabulary, writeVocabulary } from "./vocabulary.ts"
import type { WordAlternatives } from "./word-alternatives.ts"

/** Changes whenever indexes must be rebuilt: a generation of another format is built again. */
export const indexFormat = `lance-5 analyser-${analyserVersion}`

/** One generation of a project's index, open for reading. */
export interface PassageIndex extends OpenVocabulary, Disposable {
  /** The owner's synonyms, for questions. They are no part of the index, so that a change needs no reading. */
  synonyms?: Synonyms | undefined
  /**
   * Finds passages that hold any of the terms, best first. A score is BM25 of title and headings plus BM25 of
   * the text. `within`: the rows that may be found.
   */
  search(terms: readonly WeightedTerms[], limit: number, within?: RowSet): Promise<RankedPassage[]>
  /**
   * Finds the passages nearest to a vector, best first, scored by cosine. Finds none when the index has no
   * vectors or vectors of another size.
   */
  nearest(vector: Float32Array, limit: number, within?: RowSet): Promise<RankedPassage[]>
  /** undefined when the index has no vectors. */
  vectors: VectorFile | undefined
  /** Its titles and headings: built by the first call, and kept as long as the index is open. */
  headings(): Promise<HeadingIndex>
  /** Its pages and their rows, likewise. */
  pages(): Promise<IndexedPages>
  /** A passage of one of its rows. */
  passage(row: number): Passage | undefined
}

export interface WeightedTerms {
  terms: readonly string[]
  /** Words with synonyms: of each, the alternative that scores best in a passage counts. */
  wordAlternatives?: readonly WordAlternatives[]
  /** Multiplies the scores of these terms. */
  weight: number
}

export interface RankedPassage {
  passage: Passage
  /** Its row in the index. */
  row: number
  score: number
}

/**
 * Builds an index from scratch and replaces one of the same name. With an embedder, passages get vectors too.
 * LanceDB does not fsync, which is acceptable because the documents in the database can rebuild everything.
 */
export async function buildIndex(
  folder: string,
  name: string,
  language: Language,
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  embedder?: Embedder,
): Promise<{ passages: number }> {
  await dropIndex(folder, name)
  setLanceThreads()
  const connection = await connect(folder)
  const frequencies = new Map<string, number>()
  let table: Table | undefined
  let embedded: VectorInfo | undefined
  let written = 0
  await using passageRows = await writeRows(passageFile(folder, name))
  await using vectorRows = embedder && (await writeRows(vectorFile(folder, name)))
  try {
    for await (const batch of batches(passages, batchSize)) {
      const vectors = await embedder?.vectorsOf(batch)
      if (embedder && vectors)
        embedded ??= vectorInfo(
          embedder,
          vectors.map(({ vector }) => vector),
        )
      table ??= await connection.createEmptyTable(name, schemaWith(embedded))
      await table.add(
        batch.map((passage, at) => ({
          place: written + at,
          ...termTexts(passage, language, frequencies),
          ...(vectors && { vector: vectors[at]?.vector }),
        })),
      )
      await passageRows.add(batch.map(passageRecord))
      if (vectors) await vectorRows?.add(vectors.map(vectorRecord))
      written += batch.length
    }
    table ??= await connection.createEmptyTable(name, schemaWith(undefined))
    if (written > 0)
      for (const column of termColumns) await table.createIndex(column, { config: fullTextIndex() })
    if (embedded && written > maxScannedVectors) await table.createIndex("vector", { config: vectorIndex() })
    const rows = await rowsByPlace(table)
    await passageRows.finish(rows)
    await vectorRows?.finish(rows)
  } finally {
    table?.close()
    connection.close()
  }
  const header = { recipe: indexFormat, language, passages: written, ...(embedded && { embedded }) }
  // Written last: an index without a vocabulary is one whose build was interrupted.
  await writeVocabulary(vocabularyFile(folder, name), header, frequencies)
  return { passages: written }
}

/** undefined when the index is missing, incomplete, damaged or of another format. */
export async function openIndex(folder: string, name: string): Promise<PassageIndex | undefined> {
  const vocabulary = await openVocabulary(vocabularyFile(folder, name), indexFormat)
  if (!vocabulary) return undefined
  const { passages, embedded } = vocabulary
  const file = openPassages(passageFile(folder, name), passages)
  const vectors = embedded && openVectors(vectorFile(folder, name), passages, embedded.size)
  const isWhole = file && (vectors || !embedded)
  const table = isWhole ? await openTable(folder, name, passages) : undefined
  if (!table || !file) {
    file?.[Symbol.dispose]()
    vectors?.[Symbol.dispose]()
    return undefined
  }
  let headings: Promise<HeadingIndex> | undefined
  let pages: Promise<IndexedPages> | undefined
  return {
    ...vocabulary,
    vectors,
    headings() {
      headings ??= buildHeadingIndex(file.rows(), file.readOnce, vocabulary.language).catch((error) => {
        headings = undefined
        throw error
      })
      return headings
    },
    pages() {
      pages ??= listPages(file.rows(), file.readOnce).catch((error) => {
        pages = undefined
        throw error
      })
      return pages
    },
    passage: file.readOnce,
    search: async (terms, limit, within) =>
      readRanked(file, await search({ table, passages, within }, terms, limit)),
    nearest: async (vector, limit, within) =>
      readRanked(file, await nearest({ table, passages, within }, vocabulary.embedded, vector, limit)),
    [Symbol.dispose]() {
      table.close()
      file[Symbol.dispose]()
      vectors?.[Symbol.dispose]()
    },
  }
}

const batchSize = 2000

const termColumns = ["head_terms", "body_terms"] as const

function schemaWith(embedded: VectorInfo | undefined): Schema {
  const texts = termColumns.map((column) => new Field(column, new Utf8(), false))
  const columns = [new Field("place", new Int32(), false), ...texts]
  if (!embedded) return new Schema(columns)
  const vector = new FixedSizeList(embedded.size, new Field("item", new Float32(), true))
  return new Schema([...columns, new Field("vector", vector, false)])
}

/** Measures the vectors of the first batch, which stand for all. */
function vectorInfo({ name }: Embedder, vectors: readonly Float32Array[]): VectorInfo {
  return { name, size: (vectors[0] as Float32Array).length, ...measureCosineScale(vectors) }
}

/** Up to this many vectors, an exact scan of the column needs no vector index. */
const maxScannedVectors = 5000
/**
 * Partitions of the vector index that a search reads, with some 4,000 vectors each. So search is exact up to
 * 80,000 passages, and takes no longer beyond. Partitions hold whole vectors: quantised ones took forty times
 * as long to build and were hardly faster to search (`bun test/bench/vectors.ts`).
 */
const searchedPartitions = 20

function vectorIndex() {
  return Index.ivfFlat({ distanceType: "dot" })
}

/**
 * The full-text index splits at white space and changes nothing, because our analyser has already made the
 * terms. LanceDB needs a new object for each column.
 */
function fullTextIndex() {
  return Index.fts({
    baseTokenizer: "whitespace",
    withPosition: false,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 100,
  })
}

function termTexts(passage: Passage, language: Language, frequencies: Map<string, number>) {
  const head = analyse([passage.title, ...passage.headings, passage.keywords ?? ""].join("\n"), language)
  const body = analyse(withoutLinkTargets(passage.markdown), language)
  for (const term of new Set([...head, ...body])) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  return { head_terms: head.join(" "), body_terms: body.join(" ") }
}

/**
 * The row id of each passage, in the order of the passages. LanceDB assigns the ids, and they never change
 * because nothing is added to a finished index.
 */
async function rowsByPlace(table: Table): Promise<number[]> {
  const rows: number[] = []
  for await (const batch of table.query().select(["place"]).withRowId()) {
    const places = batch.getChild("place")?.toArray() as Int32Array
    const ids = batch.getChild("_rowid")?.toArray() as BigUint64Array
    for (const [at, place] of places.entries()) rows[place] = Number(ids[at])
  }
  return rows
}

async function openTable(folder: string, name: string, passages: number): Promise<Table | undefined> {
  try {
    setLanceThreads()
    const connection = await connect(folder)
    const table = await connection.openTable(name)
    if ((await table.countRows()) === passages) {
      // Loads the whole index into memory. Without this, every search reads from the disk again.
      for (const { name } of await table.listIndices()) await table.prewarmIndex(name)
      return table
    }
    table.close()
  } catch {
    // Any index that cannot be read is rebuilt.
  }
  return undefined
}

interface Searched {
  table: Table
  /** Number of its rows. */
  passages: number
  within: RowSet | undefined
}

/**
 * Queries each column on its own and adds the scores here. A single query over both columns (BooleanQuery)
 * scores every passage that holds any term, which is far slower in large indexes (`bun
 * test/bench/retrieval.ts`). LanceDB returns equal scores in any order, so they are sorted by row.
 */
async function search(searched: Searched, terms: readonly WeightedTerms[], limit: number) {
  const scored = await Promise.all(
    terms.flatMap(({ terms, wordAlternatives = [], weight }) => [
      summed(searched, terms, weight),
      ...wordAlternatives.map(async ({ alternatives }) =>
        bestScores(
          await Promise.all(alternatives.map(({ terms, scale }) => summed(searched, terms, weight * scale))),
        ),
      ),
    ]),
  )
  const sums = new Map<number, number>()
  for (const rows of scored) for (const [row, score] of rows) sums.set(row, (sums.get(row) ?? 0) + score)
  return [...sums].sort(([row, score], [otherRow, other]) => other - score || row - otherRow).slice(0, limit)
}

/** The score of each row: the sum over the columns. */
async function summed(searched: Searched, terms: readonly string[], weight: number) {
  const sums = new Map<number, number>()
  if (terms.length === 0) return sums
  const byColumn = await Promise.all(
    termColumns.map((column) => scores(searched, column, terms.join(" "), weight)),
  )
  for (const [row, score] of byColumn.flat()) sums.set(row, (sums.get(row) ?? 0) + score)
  return sums
}

function bestScores(scored: readonly Map<number, number>[]): Map<number, number> {
  const best = new Map<number, number>()
  for (const rows of scored)
    for (const [row, score] of rows) best.set(row, Math.max(best.get(row) ?? 0, score))
  return best
}

/** Passages that a query of one column returns; passages beyond get no score for that column. */
const columnLimit = 100

/** Fetches row ids and scores only, because fetching anything else costs more than the search. */
function scores(searched: Searched, column: string, terms: string, weight: number): Promise<RankedRow[]> {
  return rankedWithin(searched, columnLimit, async (limit) => {
    const rows = await searched.table
      .query()
      .fullTextSearch(new MatchQuery(terms, column))
      .select(["_score"])
      .withRowId()
      .fastSearch()
      .limit(limit)
      .toArrow()
    return rankedRows(rows, "_score", (score) => weight * score)
  })
}

function rankedRows(found: ArrowTable, column: string, scoreOf: (value: number) => number): RankedRow[] {
  if (found.numRows === 0) return []
  const rows = found.getChild("_rowid")?.toArray() as BigUint64Array
  const values = found.getChild(column)?.toArray() as Float32Array
  return Array.from(values, (value, at) => [Number(rows[at]), scoreOf(value)])
}

async function nearest(
  searched: Searched,
  embedded: VectorInfo | undefined,
  vector: Float32Array,
  limit: number,
): Promise<RankedRow[]> {
  if (vector.length !== embedded?.size) return []
  return rankedWithin(searched, limit, async (limit) => {
    const rows = await searched.table
      .query()
      .nearestTo(vector)
      .distanceType("dot")
      .nprobes(searchedPartitions)
      .select(["_distance"])
      .withRowId()
      .limit(limit)
      .toArrow()
    return rankedRows(rows, "_distance", (distance) => 1 - distance)
  })
}

function readRanked(file: PassageFile, ranked: RankedRow[]): RankedPassage[] {
  return ranked
    .flatMap(([row, score]) => {
      const passage = file.read(row)
      return passage ? [{ passage, row, score }] : []
    })
    .sort(byScore)
}

/** Best first; equal scores by passage key, so that the order is always the same. */
export function byScore(one: RankedPassage, other: RankedPassage): number {
  return other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1)
}

async function* batches<Item>(items: Iterable<Item> | AsyncIterable<Item>, size: number) {
  let batch: Item[] = []
  for await (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function vectorFile(folder: string, name: string): string {
  return join(folder, `${name}.vectors`)
}

function passageFile(folder: string, name: string): string {
  return join(folder, `${name}.passages`)
}
