import { rm } from "node:fs/promises"
import { join } from "node:path"
import { connect, Index, MatchQuery, type Table } from "@lancedb/lancedb"
import { Field, Schema, Utf8 } from "apache-arrow"
import type { Language } from "../workspaces/project.ts"
import { analyse, analyserVersion } from "./analyse.ts"
import type { Passage } from "./document.ts"
import { withoutLinkTargets } from "./markdown.ts"
import { openVocabulary, type Vocabulary, writeVocabulary } from "./vocabulary.ts"

/** What an index is built with. A generation of another recipe is built again. */
export const recipe = `lance-1 analyser-${analyserVersion}`

/** One generation of a project's index, open for reading. */
export interface PassageIndex extends Vocabulary, Disposable {
  /** The passages that hold any of the terms, by the sum of both scores, best first. */
  search(terms: readonly string[], limit: number): Promise<Hit[]>
  /** The passages of some hits, in the order of the hits. */
  read(hits: readonly Hit[]): Promise<Passage[]>
}

export interface Hit {
  row: bigint
  /** BM25 of title and headings. */
  headScore: number
  /** BM25 of the text. */
  bodyScore: number
  /** Their sum. */
  score: number
}

/**
 * Builds a new index from nothing, in place of one of the same name. Calls onProgress with the passages written so far.
 * LanceDB does not fsync: everything in the folder can be built again from the documents.
 */
export async function buildIndex(
  folder: string,
  name: string,
  language: Language,
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  onProgress: (passages: number) => void = () => {},
): Promise<{ passages: number }> {
  await dropIndex(folder, name)
  const connection = await connect(folder)
  using table = closing(await connection.createEmptyTable(name, schema))
  const frequencies = new Map<string, number>()
  let written = 0
  for await (const batch of batches(passages, batchSize)) {
    await table.add(batch.map((passage) => row(passage, language, frequencies)))
    written += batch.length
    onProgress(written)
  }
  if (written > 0)
    for (const column of ["head_terms", "body_terms"]) await table.createIndex(column, { config: fullText() })
  connection.close()
  // Last: an index without its vocabulary is one whose building was cut off.
  await writeVocabulary(vocabularyFile(folder, name), { recipe, language, passages: written }, frequencies)
  return { passages: written }
}

/** undefined when the index is missing, cut off, damaged or of another recipe. */
export async function openIndex(folder: string, name: string): Promise<PassageIndex | undefined> {
  const vocabulary = await openVocabulary(vocabularyFile(folder, name), recipe)
  const table = vocabulary && (await openTable(folder, name, vocabulary.passages))
  if (!table) return undefined
  return {
    ...vocabulary,
    search: (terms, limit) => search(table, terms, limit),
    read: (hits) => read(table, hits),
    [Symbol.dispose]: () => table.close(),
  }
}

export async function dropIndex(folder: string, name: string): Promise<void> {
  await rm(vocabularyFile(folder, name), { force: true })
  await rm(join(folder, `${name}.lance`), { recursive: true, force: true })
}

const batchSize = 2000

const schema = new Schema(
  ["key", "document", "url", "title", "headings", "markdown", "head_terms", "body_terms"].map(
    (column) => new Field(column, new Utf8(), false),
  ),
)

type Row = Record<"key" | "document" | "url" | "title" | "headings" | "markdown", string>

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
    const connection = await connect(folder)
    const table = await connection.openTable(name)
    if ((await table.countRows()) === passages) return table
    table.close()
  } catch {
    // Whatever it is that cannot be read will be built again.
  }
  return undefined
}

async function search(table: Table, terms: readonly string[], limit: number): Promise<Hit[]> {
  if (terms.length === 0) return []
  const text = terms.join(" ")
  const [heads, bodies] = await Promise.all([
    scores(table, "head_terms", text, limit),
    scores(table, "body_terms", text, limit),
  ])
  const hits = new Map<bigint, Hit>()
  for (const [row, score] of heads) hits.set(row, { row, headScore: score, bodyScore: 0, score })
  for (const [row, score] of bodies) {
    const headScore = hits.get(row)?.headScore ?? 0
    hits.set(row, { row, headScore, bodyScore: score, score: headScore + score })
  }
  return [...hits.values()]
    .sort((one, other) => other.score - one.score || Number(one.row - other.row))
    .slice(0, limit)
}

/** Row and score only: fetching anything else costs more than the search itself. */
async function scores(
  table: Table,
  column: string,
  text: string,
  limit: number,
): Promise<[bigint, number][]> {
  const found = await table
    .query()
    .fullTextSearch(new MatchQuery(text, column))
    .select(["_score"])
    .withRowId()
    .fastSearch()
    .limit(limit)
    .toArrow()
  const rows = found.getChild("_rowid")
  const values = found.getChild("_score")
  return Array.from({ length: found.numRows }, (_, index) => [
    rows?.get(index) as bigint,
    values?.get(index) as number,
  ])
}

async function read(table: Table, hits: readonly Hit[]): Promise<Passage[]> {
  if (hits.length === 0) return []
  const rows = (await table
    .takeRowIds(hits.map((hit) => hit.row))
    .select(["key", "document", "url", "title", "headings", "markdown"])
    .withRowId()
    .toArray()) as (Row & { _rowid: bigint })[]
  const passages = new Map(
    rows.map((row) => [
      row._rowid,
      {
        key: row.key,
        document: row.document,
        url: row.url,
        title: row.title,
        headings: JSON.parse(row.headings) as string[],
        markdown: row.markdown,
      },
    ]),
  )
  return hits.map((hit) => passages.get(hit.row) as Passage)
}

function closing(table: Table): Table & Disposable {
  return Object.assign(table, { [Symbol.dispose]: () => table.close() })
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
