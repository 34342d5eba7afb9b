import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { connect, Index, MatchQuery, type Table } from "@lancedb/lancedb"
import { type Table as ArrowTable, Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from "apache-arrow"
import type { Language } from "../../accounts/project.ts"
import type { Passage } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import { cosinesOf, type Embedded, type Embedder } from "../embedding/embedder.ts"
import { analyse, analyserVersion } from "../text/analyse.ts"
import { provideThreads } from "./lance-threads.ts"
import { openPassages, type PassageFile, writePassages } from "./passage-file.ts"
import { openVocabulary, type Vocabulary, writeVocabulary } from "./vocabulary.ts"

/** What an index is built with. A generation of another recipe is built again. */
export const recipe = `lance-3 analyser-${analyserVersion}`

/** One generation of a project's index, open for reading. */
export interface PassageIndex extends Vocabulary, Disposable {
  /**
   * The passages that hold any of the terms, best first: BM25 of title and headings plus BM25 of the text.
   */
  search(wanted: readonly WeightedTerms[], limit: number): Promise<RankedPassage[]>
  /**
   * The passages nearest to a vector of the index's own kind, with their cosines, best first; none when it
   * has no vectors.
   */
  nearest(vector: Float32Array, limit: number): Promise<RankedPassage[]>
}

export interface WeightedTerms {
  terms: readonly string[]
  /** What their scores are multiplied by. */
  weight: number
}

export interface RankedPassage {
  passage: Passage
  score: number
}

/**
 * Builds a new index from nothing, in place of one of the same name; with an embedder, passages have vectors
 * too. LanceDB does not fsync: everything in the folder can be built again from the documents.
 */
export async function buildIndex(
  folder: string,
  name: string,
  language: Language,
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  embedder?: Embedder,
): Promise<{ passages: number }> {
  await dropIndex(folder, name)
  provideThreads()
  const connection = await connect(folder)
  const frequencies = new Map<string, number>()
  let table: Table | undefined
  let embedded: Embedded | undefined
  let written = 0
  await using file = await writePassages(passageFile(folder, name))
  try {
    for await (const batch of batches(passages, batchSize)) {
      const vectors = await embedder?.vectorsOf(batch)
      if (embedder && vectors) embedded ??= embeddedBy(embedder, vectors)
      table ??= await connection.createEmptyTable(name, schemaWith(embedded))
      await table.add(
        batch.map((passage, at) => ({
          place: written + at,
          ...termsOf(passage, language, frequencies),
          ...(vectors && { vector: vectors[at] }),
        })),
      )
      await file.add(batch)
      written += batch.length
    }
    table ??= await connection.createEmptyTable(name, schemaWith(undefined))
    if (written > 0) for (const column of termColumns) await table.createIndex(column, { config: fullText() })
    if (embedded && written > undividedVectors) await table.createIndex("vector", { config: vectorIndex() })
    await file.finish(await rowsByPlace(table))
  } finally {
    table?.close()
    connection.close()
  }
  const about = { recipe, language, passages: written, ...(embedded && { embedded }) }
  // Last: an index without its vocabulary is one whose building was cut off.
  await writeVocabulary(vocabularyFile(folder, name), about, frequencies)
  return { passages: written }
}

/** undefined when the index is missing, cut off, damaged or of another recipe. */
export async function openIndex(folder: string, name: string): Promise<PassageIndex | undefined> {
  const vocabulary = await openVocabulary(vocabularyFile(folder, name), recipe)
  const file = vocabulary && openPassages(passageFile(folder, name), vocabulary.passages)
  const table = file && (await openTable(folder, name, vocabulary.passages))
  if (!table) {
    file?.[Symbol.dispose]()
    return undefined
  }
  return {
    ...vocabulary,
    search: async (wanted, limit) => read(file, await search(table, wanted, limit)),
    nearest: async (vector, limit) => read(file, await nearest(table, vocabulary.embedded, vector, limit)),
    [Symbol.dispose]() {
      table.close()
      file[Symbol.dispose]()
    },
  }
}

export async function dropIndex(folder: string, name: string): Promise<void> {
  for (const entry of await entriesOf(folder))
    if (indexOfEntry(entry) === name) await rm(join(folder, entry), { recursive: true, force: true })
}

/** Names of the indexes in a folder, finished or not. */
export async function listIndexes(folder: string): Promise<string[]> {
  const names = (await entriesOf(folder)).map(indexOfEntry)
  // LanceDB keeps a `__manifest` of its own beside them.
  return [...new Set(names.filter((name) => !name.startsWith("_")))]
}

/** Throws where there is a folder that cannot be read: taken for empty, all indexes would be built again. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}

/**
 * An index is whatever is called `<name>.…`: the table, the passages, the vocabulary, a vocabulary whose
 * writing was cut off.
 */
function indexOfEntry(entry: string): string {
  return entry.split(".")[0] as string
}

const batchSize = 2000

const termColumns = ["head_terms", "body_terms"] as const

function schemaWith(embedded: Embedded | undefined): Schema {
  const texts = termColumns.map((column) => new Field(column, new Utf8(), false))
  const columns = [new Field("place", new Int32(), false), ...texts]
  if (!embedded) return new Schema(columns)
  const vector = new FixedSizeList(embedded.size, new Field("item", new Float32(), true))
  return new Schema([...columns, new Field("vector", vector, false)])
}

/** The first passages stand for all: there are as many as one batch holds. */
function embeddedBy({ name }: Embedder, vectors: readonly Float32Array[]): Embedded {
  return { name, size: (vectors[0] as Float32Array).length, ...cosinesOf(vectors) }
}

/** Up to so many vectors the table's own column is searched: there is nothing to divide. */
const undividedVectors = 5000
/**
 * Partitions that are searched, of some 4,000 whole vectors each: the search is exact up to 80,000 passages,
 * and takes no longer beyond. LanceDB reads all partitions five times faster than the column of a table;
 * quantised vectors took forty times as long to build and were hardly found faster (`bun
 * test/bench/vectors.ts`).
 */
const searchedPartitions = 20

function vectorIndex() {
  return Index.ivfFlat({ distanceType: "dot" })
}

/**
 * The analyser has done the work: the index splits at white space and changes nothing. A new one for each
 * column.
 */
function fullText() {
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

function termsOf(
  passage: Passage,
  language: Language,
  frequencies: Map<string, number>,
): Record<(typeof termColumns)[number], string> {
  const head = analyse([passage.title, ...passage.headings].join("\n"), language)
  const body = analyse(withoutLinkTargets(passage.markdown), language)
  for (const term of new Set([...head, ...body])) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  return { head_terms: head.join(" "), body_terms: body.join(" ") }
}

/** Rows are LanceDB's to number: they stay as they are, because nothing is ever added to a finished index. */
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
    provideThreads()
    const connection = await connect(folder)
    const table = await connection.openTable(name)
    if ((await table.countRows()) === passages) {
      // Read whole, once: of an index that is not, every search reads from the disk again whatever it comes
      // to. That took half of it.
      for (const { name } of await table.listIndices()) await table.prewarmIndex(name)
      return table
    }
    table.close()
  } catch {
    // Whatever it is that cannot be read will be built again.
  }
  return undefined
}

/**
 * A query for each column, scores added here: one query over both (a BooleanQuery) scores every passage that
 * holds any term, which took eight times as long at 100,000 passages. Equal scores come back in any order, so
 * they are put in one.
 */
async function search(table: Table, wanted: readonly WeightedTerms[], limit: number): Promise<RankedRow[]> {
  const found = await Promise.all(
    wanted
      .filter(({ terms }) => terms.length > 0)
      .flatMap(({ terms, weight }) =>
        termColumns.map((column) => scores(table, column, terms.join(" "), weight)),
      ),
  )
  const sums = new Map<number, number>()
  for (const [row, score] of found.flat()) sums.set(row, (sums.get(row) ?? 0) + score)
  return [...sums].sort(([row, score], [otherRow, other]) => other - score || row - otherRow).slice(0, limit)
}

/**
 * LanceDB numbers a row by its fragment, times 2^32, and its place there: a number holds that exactly up to
 * two million fragments.
 */
type RankedRow = [row: number, score: number]

/** A passage that is not among so many of a column gets nothing for it. */
const candidates = 100

/** Row and score alone: fetching anything else costs more than the search. */
async function scores(table: Table, column: string, terms: string, weight: number): Promise<RankedRow[]> {
  const found = await table
    .query()
    .fullTextSearch(new MatchQuery(terms, column))
    .select(["_score"])
    .withRowId()
    .fastSearch()
    .limit(candidates)
    .toArrow()
  return rankedRows(found, "_score", (score) => weight * score)
}

function rankedRows(found: ArrowTable, column: string, scoreOf: (value: number) => number): RankedRow[] {
  if (found.numRows === 0) return []
  const rows = found.getChild("_rowid")?.toArray() as BigUint64Array
  const values = found.getChild(column)?.toArray() as Float32Array
  return Array.from(values, (value, at) => [Number(rows[at]), scoreOf(value)])
}

async function nearest(
  table: Table,
  embedded: Embedded | undefined,
  vector: Float32Array,
  limit: number,
): Promise<RankedRow[]> {
  if (vector.length !== embedded?.size) return []
  const found = await table
    .query()
    .nearestTo(vector)
    .distanceType("dot")
    .nprobes(searchedPartitions)
    .select(["_distance"])
    .withRowId()
    .limit(limit)
    .toArrow()
  return rankedRows(found, "_distance", (distance) => 1 - distance)
}

function read(file: PassageFile, ranked: RankedRow[]): RankedPassage[] {
  return ranked
    .flatMap(([row, score]) => {
      const passage = file.read(row)
      return passage ? [{ passage, score }] : []
    })
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
}

async function* batches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function vocabularyFile(folder: string, name: string): string {
  return join(folder, `${name}.vocabulary`)
}

function passageFile(folder: string, name: string): string {
  return join(folder, `${name}.passages`)
}
