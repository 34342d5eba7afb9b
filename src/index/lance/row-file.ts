import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { open } from "node:fs/promises"

/**
 * Records of an index, one for each row of its LanceDB table, in a file beside it, because LanceDB takes longer to
 * return ten rows than to find them. The file holds the records. Then come three 64-bit floats for each, sorted by
 * row: row, offset and length of the record, both in bytes. Row ids are numbers rather than bigints, because a search
 * handles hundreds of them.
 */
export interface RowFile extends Disposable {
  /** Differs between all files that this process has opened. */
  id: number
  /**
   * The bytes of a row; undefined for an unknown row, and for one longer than `maxBytes`. They are overwritten by
   * the next call. undefined, too, once the file is closed.
   */
  read(row: number): Buffer | undefined
  /** The row ids, ascending. */
  rows(): number[]
}

export interface RowWriter extends AsyncDisposable {
  add(records: readonly Uint8Array[]): Promise<void>
  /** `rows`: the row id of each record, in the order in which they were added. */
  finish(rows: readonly number[]): Promise<void>
}

export async function writeRows(file: string): Promise<RowWriter> {
  const handle = await open(file, "w")
  const lengths: number[] = []
  return {
    async add(records) {
      for (const record of records) lengths.push(record.length)
      await handle.writeFile(Buffer.concat(records))
    },
    async finish(rows) {
      const entries: { row: number; from: number; length: number }[] = []
      let from = 0
      for (const [place, length] of lengths.entries()) {
        entries.push({ row: rows[place] as number, from, length })
        from += length
      }
      entries.sort((one, other) => one.row - other.row)
      const numbers = entries.flatMap(({ row, from, length }) => [row, from, length])
      await handle.writeFile(new Uint8Array(Float64Array.from(numbers).buffer))
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/**
 * Opens the file; undefined when it is missing or too short. Reads are synchronous, because what questions
 * need is in the system's page cache.
 */
export function openRows(file: string, count: number, maxBytes: number): RowFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, "r")
  } catch {
    return undefined
  }
  const size = fstatSync(descriptor).size
  const numbers = new Float64Array(count * 3)
  const recordsEnd = size - numbers.byteLength
  if (
    recordsEnd < 0 ||
    readSync(descriptor, numbers, 0, numbers.byteLength, recordsEnd) < numbers.byteLength
  ) {
    closeSync(descriptor)
    return undefined
  }
  // One buffer for all reads: allocating one takes longer than reading into it.
  const record = Buffer.allocUnsafe(Math.min(longestRecord(numbers), maxBytes))
  let isOpen = true
  return {
    id: ++openedFiles,
    read(row) {
      const at = isOpen ? findPosition(numbers, row) : undefined
      if (at === undefined || (numbers[at + 2] as number) > maxBytes) return undefined
      const length = readSync(descriptor, record, 0, numbers[at + 2] as number, numbers[at + 1] as number)
      return record.subarray(0, length)
    },
    rows: () => Array.from({ length: count }, (_, at) => numbers[at * 3] as number),
    [Symbol.dispose]() {
      isOpen = false
      closeSync(descriptor)
    },
  }
}

/** Gives each opened file its own id: descriptors are reused after closing. */
let openedFiles = 0

/** The longest record, in bytes. */
function longestRecord(numbers: Float64Array): number {
  let longest = 0
  for (let at = 2; at < numbers.length; at += 3) longest = Math.max(longest, numbers[at] as number)
  return longest
}

/** Binary search for the position of a row's three numbers. */
function findPosition(numbers: Float64Array, row: number): number | undefined {
  let low = 0
  let high = numbers.length / 3
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * 3] as number) < row) low = middle + 1
    else high = middle
  }
  return numbers[low * 3] === row ? low * 3 : undefined
}
