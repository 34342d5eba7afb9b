import { readFile, rename, writeFile } from "node:fs/promises"
import type { Language } from "../../workspaces/project.ts"
import type { Embedded } from "./embedder.ts"

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
  /** Tells the terms with the same first letter that are at most one letter longer or shorter. */
  near(letters: Buffer, tell: (term: Buffer, frequency: number) => void): void
}

/** Writes `<term>\t<passages>` lines in byte order under one line that describes the index; whole or not at all. */
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
 * Opens in the time it takes to read the file: terms are found by bisection in its bytes, never parsed as a whole.
 * undefined when it is missing, damaged or of another recipe.
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
    near: (letters, tell) => tellNear(bytes, start, letters, tell),
  }
}

const newline = 10
const tab = 9
const zero = 48

function firstLine(bytes: Buffer): About | undefined {
  try {
    return JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(newline)))
  } catch {
    return undefined
  }
}

function frequencyIn(bytes: Buffer, start: number, wanted: Buffer): number {
  const at = lineFrom(bytes, start, wanted)
  const end = at + wanted.length
  return bytes.subarray(at, end).equals(wanted) ? numberAt(bytes, end) : 0
}

/** Among the bytes: to make a string of every line takes ten times as long. */
function tellNear(
  bytes: Buffer,
  start: number,
  letters: Buffer,
  tell: (term: Buffer, frequency: number) => void,
) {
  const first = letters.subarray(0, 1)
  for (let at = lineFrom(bytes, start, first); bytes[at] === first[0]; ) {
    const end = bytes.indexOf(tab, at)
    if (Math.abs(end - at - letters.length) <= 1) tell(bytes.subarray(at, end), numberAt(bytes, end + 1))
    at = bytes.indexOf(newline, end) + 1
  }
}

function numberAt(bytes: Buffer, at: number): number {
  let number = 0
  for (let place = at; bytes[place] !== newline; place++)
    number = number * 10 + (bytes[place] as number) - zero
  return number
}

/** Where the first line begins that does not come before the wanted bytes. */
function lineFrom(bytes: Buffer, start: number, wanted: Buffer): number {
  let low = start
  let high = bytes.length
  while (low < high) {
    // The line in which the middle falls.
    const lineStart = Math.max(bytes.lastIndexOf(newline, Math.floor((low + high) / 2) - 1) + 1, low)
    const lineEnd = bytes.indexOf(newline, lineStart)
    if (bytes.compare(wanted, 0, wanted.length, lineStart, lineEnd) < 0) low = lineEnd + 1
    else high = lineStart
  }
  return low
}
