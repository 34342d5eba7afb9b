import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { open } from "node:fs/promises"
import type { Passage } from "../documents/document.ts"

/**
 * The passages of an index, in a file beside its table: LanceDB takes longer to hand out ten rows than to find them.
 * A line of JSON for each, then three 64-bit numbers for each in the order of the rows: its row, where its line begins, its
 * length in bytes.
 */
export interface PassageFile extends Disposable {
  /** undefined for a row that the file does not know. */
  read(row: bigint): Passage | undefined
}

export interface PassageWriter extends AsyncDisposable {
  add(passages: readonly Passage[]): Promise<void>
  /** `rows`: the row of each, as they were added. */
  finish(rows: readonly bigint[]): Promise<void>
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
      const lines: { row: bigint; from: number; length: number }[] = []
      let from = 0
      for (const [place, length] of lengths.entries()) {
        lines.push({ row: rows[place] as bigint, from, length })
        from += length
      }
      lines.sort((one, other) => (one.row < other.row ? -1 : 1))
      const numbers = lines.flatMap(({ row, from, length }) => [row, BigInt(from), BigInt(length)])
      await handle.writeFile(new Uint8Array(BigUint64Array.from(numbers).buffer))
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** undefined when it is missing or too short. What a question needs of it is in the system's cache: it is read at once. */
export function openPassages(file: string, passages: number): PassageFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, "r")
  } catch {
    return undefined
  }
  const size = fstatSync(descriptor).size
  const numbers = new BigUint64Array(passages * 3)
  const linesEnd = size - numbers.byteLength
  if (linesEnd < 0 || readSync(descriptor, numbers, 0, numbers.byteLength, linesEnd) < numbers.byteLength) {
    closeSync(descriptor)
    return undefined
  }
  return {
    read(row) {
      const at = placeOf(numbers, row)
      if (at === undefined) return undefined
      const line = Buffer.allocUnsafe(Number(numbers[at + 2]))
      readSync(descriptor, line, 0, line.length, Number(numbers[at + 1]))
      return JSON.parse(line.toString())
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/** Where the three numbers of a row begin. */
function placeOf(numbers: BigUint64Array, row: bigint): number | undefined {
  let low = 0
  let high = numbers.length / 3
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * 3] as bigint) < row) low = middle + 1
    else high = middle
  }
  return numbers[low * 3] === row ? low * 3 : undefined
}
