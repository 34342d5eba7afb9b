import { readFile, rename, writeFile } from "node:fs/promises"
import type { Language } from "../../accounts/project.ts"
import { parsedJson } from "../../base/text.ts"
import type { VectorInfo } from "../embedding/embedder.ts"

/** The first line of the file, as JSON. Its keys are stored data. */
interface Header {
  /** The `indexFormat` that the index was built with. */
  recipe: string
  language: Language
  passages: number
  embedded?: VectorInfo
}

/** Document frequencies of an index, with what its header says about the documentation. */
export interface Vocabulary {
  language: Language
  passages: number
  /** undefined when the index has no vectors. */
  embedded?: VectorInfo | undefined
  /** Number of passages in which the term occurs. */
  frequency(term: string): number
}

export interface OpenVocabulary extends Vocabulary {
  /** The most frequent terms that begin so, at most `limit`. */
  beginningWith(letters: string, limit: number): string[]
}

/** Atomically writes the header, then a line `<term>\t<passages>` for each term, in byte order. */
export async function writeVocabulary(
  file: string,
  header: Header,
  frequencies: ReadonlyMap<string, number>,
): Promise<void> {
  const lines = [...frequencies].map(([term, frequency]) => Buffer.from(`${term}\t${frequency}\n`))
  lines.sort(Buffer.compare)
  const temporary = `${file}.new`
  await writeFile(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...lines]))
  await rename(temporary, file)
}

/**
 * Opens a vocabulary; undefined when it is missing, damaged or of another index format. Opening takes no
 * longer than reading the file: terms are found by binary search in its bytes, which are never parsed whole.
 */
export async function openVocabulary(file: string, indexFormat: string): Promise<OpenVocabulary | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  const header = bytes && parseHeader(bytes)
  if (!bytes || !header || header.recipe !== indexFormat || bytes.at(-1) !== newline) return undefined
  const start = bytes.indexOf(newline) + 1
  return {
    language: header.language,
    passages: header.passages,
    embedded: header.embedded,
    frequency: (term) => {
      const line = findLine(bytes, start, Buffer.from(`${term}\t`))
      return line.isExact ? lineAt(bytes, line.at).frequency : 0
    },
    beginningWith: (letters, limit) => beginningWith(bytes, start, letters, limit),
  }
}

const newline = 10

function parseHeader(bytes: Buffer): Header | undefined {
  return parsedJson(bytes.toString("utf8", 0, bytes.indexOf(newline))) as Header | undefined
}

/** Most lines read for one beginning. */
const maxLooked = 2000

function beginningWith(bytes: Buffer, start: number, letters: string, limit: number): string[] {
  const beginning = Buffer.from(letters)
  const lines: { term: string; frequency: number }[] = []
  let { at } = findLine(bytes, start, beginning)
  while (at < bytes.length && lines.length < maxLooked) {
    if (bytes.compare(beginning, 0, beginning.length, at, at + beginning.length) !== 0) break
    lines.push(lineAt(bytes, at))
    at = bytes.indexOf(newline, at) + 1
  }
  return lines
    .sort((one, other) => other.frequency - one.frequency)
    .slice(0, limit)
    .map(({ term }) => term)
}

function lineAt(bytes: Buffer, at: number): { term: string; frequency: number } {
  const [term = "", frequency] = bytes.toString("utf8", at, bytes.indexOf(newline, at)).split("\t")
  return { term, frequency: Number(frequency) }
}

/** Binary search by byte offset for the first line that begins with `prefix`, or that comes after. */
function findLine(bytes: Buffer, start: number, prefix: Buffer): { at: number; isExact: boolean } {
  let low = start
  let high = bytes.length
  let isExact = false
  while (low < high) {
    // The line that holds the middle byte.
    const lineStart = Math.max(bytes.lastIndexOf(newline, Math.floor((low + high) / 2) - 1) + 1, low)
    const lineEnd = bytes.indexOf(newline, lineStart)
    const order = bytes.compare(
      prefix,
      0,
      prefix.length,
      lineStart,
      Math.min(lineStart + prefix.length, lineEnd),
    )
    if (order < 0) low = lineEnd + 1
    else high = lineStart
    isExact ||= order === 0
  }
  return { at: low, isExact }
}
