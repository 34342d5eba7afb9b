import type { Passage } from "../../reading/formats/document.ts"
import { truncatePassage } from "../../reading/passages/size-limits.ts"
import { cachedPassage } from "./passage-cache.ts"
import { openRows, type RowFile } from "./row-file.ts"

/** The passages of an index: a row file whose records are JSON. */
export interface PassageFile extends Disposable {
  /** undefined for an unknown row, and for a passage longer than `maxBytes`. */
  read(row: number): Passage | undefined
  /** The same, past the cache, which what is read once would empty. */
  readOnce(row: number): Passage | undefined
  /** The row ids, ascending. */
  rows(): number[]
}

/**
 * Twice the longest record that is written today: a passage whose every character is escaped and whose sections
 * have the longest addresses.
 */
const maxBytes = 1_000_000

export function passageRecord(passage: Passage): Uint8Array {
  return Buffer.from(`${JSON.stringify(passage)}\n`)
}

export function openPassages(file: string, passages: number): PassageFile | undefined {
  const rows = openRows(file, passages, maxBytes)
  return (
    rows && {
      read: (row) => cachedPassage(`${rows.id}:${row}`, () => readPassage(rows, row)),
      readOnce: (row) => readPassage(rows, row),
      rows: () => rows.rows(),
      [Symbol.dispose]: () => rows[Symbol.dispose](),
    }
  )
}

function readPassage(rows: RowFile, row: number): Passage | undefined {
  const record = rows.read(row)
  return record && truncatePassage(JSON.parse(record.toString("utf8")))
}
