import { readFile, rename, writeFile } from "node:fs/promises"
import type { Language } from "../../accounts/project.ts"
import type { Embedded } from "../embedding/embedder.ts"

/** The first line of the file. */
interface About {
  recipe: string
  language: Language
  passages: number
  embedded?: Embedded
}

/** In how many passages each term of an index occurs. */
export interface Vocabulary {
  language: Language
  passages: number
  /** undefined: the index has no vectors. */
  embedded?: Embedded | undefined
  /** 0 when the documentation never uses the term. */
  frequency(term: string): number
}

/**
 * Writes `<term>\t<passages>` lines in byte order under one line that describes the index; whole or not at
 * all.
 */
export async function writeVocabulary(
  file: string,
  about: About,
  frequencies: ReadonlyMap<string, number>,
): Promise<void> {
  const lines = [...frequencies].map(([term, frequency]) => Buffer.from(`${term}\t${frequency}\n`))
  lines.sort(Buffer.compare)
  const temporary = `${file}.new`
  await writeFile(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), ...lines]))
  await rename(temporary, file)
}

/**
 * Opens in the time it takes to read the file: terms are found by bisection in its bytes, never parsed as a
 * whole. undefined when it is missing, damaged or of another recipe.
 */
export async function openVocabulary(file: string, recipe: string): Promise<Vocabulary | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  const about = bytes && firstLine(bytes)
  if (!bytes || !about || about.recipe !== recipe || bytes.at(-1) !== newline) return undefined
  const start = bytes.indexOf(newline) + 1
  return {
    language: about.language,
    passages: about.passages,
    embedded: about.embedded,
    frequency: (term) => frequencyIn(bytes, start, Buffer.from(`${term}\t`)),
  }
}

const newline = 10

function firstLine(bytes: Buffer): About | undefined {
  try {
    return JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(newline)))
  } catch {
    return undefined
  }
}

function frequencyIn(bytes: Buffer, start: number, wanted: Buffer): number {
  let low = start
  let high = bytes.length
  while (low < high) {
    // The line in which the middle falls.
    const lineStart = Math.max(bytes.lastIndexOf(newline, Math.floor((low + high) / 2) - 1) + 1, low)
    const lineEnd = bytes.indexOf(newline, lineStart)
    const order = bytes.compare(
      wanted,
      0,
      wanted.length,
      lineStart,
      Math.min(lineStart + wanted.length, lineEnd),
    )
    if (order === 0) return Number(bytes.toString("latin1", lineStart + wanted.length, lineEnd))
    if (order < 0) low = lineEnd + 1
    else high = lineStart
  }
  return 0
}
