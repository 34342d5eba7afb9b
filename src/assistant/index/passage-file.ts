import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { open } from "node:fs/promises"
import type { Passage } from "../documents/document.ts"
import { bounded } from "../documents/size.ts"
import { hotPassage } from "./hot-passages.ts"

/**
 * The passages of an index, in a file beside its table: LanceDB takes longer to hand out ten rows than to
 * find them. A line of JSON for each, then three 64-bit floats for each in the order of the rows: its row,
 * where its line begins, its length in bytes. Numbers all: a search handles hundreds of rows, and took a
 * fifth longer when they were bigints.
 */
export interface PassageFile extends Disposable {
  /**
   * undefined for a row that the file does not know, and for a passage larger than any that is written today.
   */
  read(row: number): Passage | undefined
}

export interface PassageWriter extends AsyncDisposable {
  add(passages: readonly Passage[]): Promise<void>
  /** `rows`: the row of each, as they were added. */
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
 * undefined when it is missing or too short. What a question needs of it is in the system's cache: it is read
 * at once.
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
  const opened = ++openedFiles
  // One for all: making a buffer takes ten times as long as reading into it.
  const line = Buffer.allocUnsafe(Math.min(longestOf(numbers), maxLineBytes))
  return {
    read(row) {
      const at = placeOf(numbers, row)
      if (at === undefined || (numbers[at + 2] as number) > maxLineBytes) return undefined
      return hotPassage(`${opened}:${row}`, () => {
        const length = readSync(descriptor, line, 0, numbers[at + 2] as number, numbers[at + 1] as number)
        return bounded(JSON.parse(line.toString("utf8", 0, length)))
      })
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/**
 * Twice as much as a passage takes whose every character is escaped and whose sections have the longest
 * addresses.
 */
const maxLineBytes = 1_000_000

/** A name for each file that this process has opened: descriptors are used again. */
let openedFiles = 0

/** In bytes. */
function longestOf(numbers: Float64Array): number {
  let longest = 0
  for (let at = 2; at < numbers.length; at += 3) longest = Math.max(longest, numbers[at] as number)
  return longest
}

/** Where the three numbers of a row begin. */
function placeOf(numbers: Float64Array, row: number): number | undefined {
  let low = 0
  let high = numbers.length / 3
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * 3] as number) < row) low = middle + 1
    else high = middle
  }
  return numbers[low * 3] === row ? low * 3 : undefined
}
