import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { open } from "node:fs/promises"
import type { Passage } from "../documents/document.ts"
import { truncatePassage } from "../documents/passages/size-limits.ts"
import { cachedPassage } from "./passage-cache.ts"

/**
 * The passages of an index, in a file beside its LanceDB table, because LanceDB takes longer to return ten
 * rows than to find them. The file holds one line of JSON for each passage. Then come three 64-bit floats for
 * each, sorted by row: row, offset of the line, and length of the line, both in bytes. Row ids are numbers
 * rather than bigints, because a search handles hundreds of them.
 */
export interface PassageFile extends Disposable {
  /** undefined for an unknown row, and for a passage longer than `maxLineBytes`. */
  read(row: number): Passage | undefined
}

export interface PassageWriter extends AsyncDisposable {
  add(passages: readonly Passage[]): Promise<void>
  /** `rows`: the row id of each passage, in the order in which they were added. */
  finish(rows: readonly number[]): Promise<void>
}

export async function writePassages(file: string): Promise<PassageWriter> {
  const handle = await open(file, "w")
  const lengths: number[] = []
  return {
    async add(passages) {
      const lines = passages.map((passage) => Buffer.from(`${JSON.stringify(passage)}\n`))
      for (const line of lines) lengths.push(line.length)
      await handle.writeFile(Buffer.concat(lines))
    },
    async finish(rows) {
      const lines: { row: number; from: number; length: number }[] = []
      let from = 0
      for (const [place, length] of lengths.entries()) {
        lines.push({ row: rows[place] as number, from, length })
        from += length
      }
      lines.sort((one, other) => one.row - other.row)
      const numbers = lines.flatMap(({ row, from, length }) => [row, from, length])
      await handle.writeFile(new Uint8Array(Float64Array.from(numbers).buffer))
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/**
 * Opens the file; undefined when it is missing or too short. Reads are synchronous, because what questions
 * need is in the system's page cache.
 */
export function openPassages(file: string, passages: number): PassageFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, "r")
  } catch {
    return undefined
  }
  const size = fstatSync(descriptor).size
  const numbers = new Float64Array(passages * 3)
  const linesEnd = size - numbers.byteLength
  if (linesEnd < 0 || readSync(descriptor, numbers, 0, numbers.byteLength, linesEnd) < numbers.byteLength) {
    closeSync(descriptor)
    return undefined
  }
  const fileId = ++openedFiles
  // One buffer for all reads: allocating one takes longer than reading into it.
  const line = Buffer.allocUnsafe(Math.min(longestLine(numbers), maxLineBytes))
  return {
    read(row) {
      const at = positionOf(numbers, row)
      if (at === undefined || (numbers[at + 2] as number) > maxLineBytes) return undefined
      return cachedPassage(`${fileId}:${row}`, () => {
        const length = readSync(descriptor, line, 0, numbers[at + 2] as number, numbers[at + 1] as number)
        return truncatePassage(JSON.parse(line.toString("utf8", 0, length)))
      })
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/**
 * Twice the longest line that is written today: a passage whose every character is escaped and whose sections
 * have the longest addresses.
 */
const maxLineBytes = 1_000_000

/** Gives each opened file its own id for the cache: descriptors are reused after closing. */
let openedFiles = 0

/** The longest line, in bytes. */
function longestLine(numbers: Float64Array): number {
  let longest = 0
  for (let at = 2; at < numbers.length; at += 3) longest = Math.max(longest, numbers[at] as number)
  return longest
}

/** Binary search for the position of a row's three numbers. */
function positionOf(numbers: Float64Array, row: number): number | undefined {
  let low = 0
  let high = numbers.length / 3
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * 3] as number) < row) low = middle + 1
    else high = middle
  }
  return numbers[low * 3] === row ? low * 3 : undefined
}
