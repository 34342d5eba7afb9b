import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { connect, Index, MatchQuery, type Table } from "@lancedb/lancedb"
import { Field, FixedSizeList, Float32, Schema, Utf8 } from "apache-arrow"
import type { Language } from "../../workspaces/project.ts"
import type { Passage } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import { analyse, analyserVersion } from "./analyse.ts"
import { type Embedded, type Embedder, nearnessOf } from "./embedder.ts"
import { provideThreads } from "./lance-threads.ts"
import { openVocabulary, type Vocabulary, writeVocabulary } from "./vocabulary.ts"

/** What an index is built with. A generation of another recipe is built again. */
export const recipe = `lance-1 analyser-${analyserVersion}`

/** One generation of a project's index, open for reading. */
export interface PassageIndex extends Vocabulary, Disposable {
  /** The passages that hold any of the terms, best first: BM25 of title and headings plus BM25 of the text. */
  search(wanted: readonly WeightedTerms[], limit: number): Promise<RankedPassage[]>
  /** The passages nearest to a vector of the index's own kind, with their cosines, best first; none when it has no vectors. */
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
 * Builds a new index from nothing, in place of one of the same name; with an embedder, passages have vectors too.
 * LanceDB does not fsync: everything in the folder can be built again from the documents.
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
  try {
    for await (const batch of batches(passages, batchSize)) {
      const vectors = await embedder?.vectorsOf(batch)
      if (embedder && vectors) embedded ??= embeddedBy(embedder, vectors)
      table ??= await connection.createEmptyTable(name, schemaWith(embedded))
      await table.add(
        batch.map((passage, at) => ({
          ...row(passage, language, frequencies),
          ...(vectors && { vector: vectors[at] }),
        })),
      )
      written += batch.length
    }
    table ??= await connection.createEmptyTable(name, schemaWith(undefined))
    if (written > 0) for (const column of termColumns) await table.createIndex(column, { config: fullText() })
    if (embedded && written > searchedByTrying) await table.createIndex("vector", { config: vectorIndex() })
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
  const table = vocabulary && (await openTable(folder, name, vocabulary.passages))
  if (!table) return undefined
  return {
    ...vocabulary,
    search: (wanted, limit) => search(table, wanted, limit),
    nearest: (vector, limit) => nearest(table, vocabulary.embedded, vector, limit),
    [Symbol.dispose]: () => table.close(),
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

function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** An index is whatever is called `<name>.…`: the table, the vocabulary, a vocabulary whose writing was cut off. */
function indexOfEntry(entry: string): string {
  return entry.split(".")[0] as string
}

const batchSize = 2000

const passageColumns = ["key", "document", "url", "title", "headings", "markdown"] as const
const termColumns = ["head_terms", "body_terms"] as const

function schemaWith(embedded: Embedded | undefined): Schema {
  const texts = [...passageColumns, ...termColumns].map((column) => new Field(column, new Utf8(), false))
  if (!embedded) return new Schema(texts)
  const vector = new FixedSizeList(embedded.size, new Field("item", new Float32(), true))
  return new Schema([...texts, new Field("vector", vector, false)])
}

/** The first passages stand for all: there are as many as one batch holds. */
function embeddedBy({ name }: Embedder, vectors: readonly Float32Array[]): Embedded {
  return { name, size: (vectors[0] as Float32Array).length, nearness: nearnessOf(vectors) }
}

/** Up to so many vectors, each is compared: exact, and quick enough. */
const searchedByTrying = 20_000
/** Of an approximate search, how many times more candidates than wanted are compared exactly. */
const comparedAgain = 10

function vectorIndex() {
  return Index.ivfPq({ distanceType: "dot" })
}

type Row = Record<(typeof passageColumns)[number], string>

/** The analyser has done the work: the index splits at white space and changes nothing. A new one for each column. */
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

function row(
  passage: Passage,
  language: Language,
  frequencies: Map<string, number>,
): Record<string, unknown> {
  const head = analyse([passage.title, ...passage.headings].join("\n"), language)
  const body = analyse(withoutLinkTargets(passage.markdown), language)
  for (const term of new Set([...head, ...body])) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  return {
    ...passage,
    headings: JSON.stringify(passage.headings),
    head_terms: head.join(" "),
    body_terms: body.join(" "),
  }
}

async function openTable(folder: string, name: string, passages: number): Promise<Table | undefined> {
  try {
    provideThreads()
    const connection = await connect(folder)
    const table = await connection.openTable(name)
    if ((await table.countRows()) === passages) return table
    table.close()
  } catch {
    // Whatever it is that cannot be read will be built again.
  }
  return undefined
}

/**
 * A query for each column, scores added here: one query over both (a BooleanQuery) scores every passage that holds any term,
 * which took eight times as long at 100,000 passages. Equal scores come back in any order, so they are put in one.
 */
async function search(
  table: Table,
  wanted: readonly WeightedTerms[],
  limit: number,
): Promise<RankedPassage[]> {
  const found = await Promise.all(
    wanted
      .filter(({ terms }) => terms.length > 0)
      .flatMap(({ terms, weight }) =>
        termColumns.map((column) => scores(table, column, terms.join(" "), weight)),
      ),
  )
  const sums = new Map<bigint, number>()
  for (const [row, score] of found.flat()) sums.set(row, (sums.get(row) ?? 0) + score)
  const byScore = [...sums].sort(([row, score], [otherRow, other]) => other - score || Number(row - otherRow))
  const best = new Map(byScore.slice(0, limit))
  const passages = await read(table, [...best.keys()])
  return passages
    .map(([row, passage]) => ({ passage, score: best.get(row) as number }))
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
}

/** A passage that is not among so many of a column gets nothing for it. */
const candidates = 200

/** Row and score alone: fetching anything else costs more than the search. */
async function scores(
  table: Table,
  column: string,
  terms: string,
  weight: number,
): Promise<[bigint, number][]> {
  const found = await table
    .query()
    .fullTextSearch(new MatchQuery(terms, column))
    .select(["_score"])
    .withRowId()
    .fastSearch()
    .limit(candidates)
    .toArrow()
  const rows = found.getChild("_rowid")?.toArray() as BigUint64Array
  const values = found.getChild("_score")?.toArray() as Float32Array
  return found.numRows === 0
    ? []
    : Array.from(rows, (row, place) => [row, weight * (values[place] as number)])
}

async function read(table: Table, rows: bigint[]): Promise<[bigint, Passage][]> {
  if (rows.length === 0) return []
  const found = (await table
    .takeRowIds(rows)
    .select([...passageColumns])
    .withRowId()
    .toArray()) as (Row & { _rowid: bigint })[]
  return found.map((row) => [row._rowid, passageOf(row)])
}

async function nearest(
  table: Table,
  embedded: Embedded | undefined,
  vector: Float32Array,
  limit: number,
): Promise<RankedPassage[]> {
  if (vector.length !== embedded?.size) return []
  const rows = (await table
    .query()
    .nearestTo(vector)
    .distanceType("dot")
    .refineFactor(comparedAgain)
    .select([...passageColumns, "_distance"])
    .limit(limit)
    .toArray()) as (Row & { _distance: number })[]
  return rows
    .map((row) => ({ passage: passageOf(row), score: 1 - row._distance }))
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
}

/** By name: Arrow's rows are proxies whose other properties must not travel on. */
function passageOf(row: Row): Passage {
  return {
    key: row.key,
    document: row.document,
    url: row.url,
    title: row.title,
    headings: JSON.parse(row.headings),
    markdown: row.markdown,
  }
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
