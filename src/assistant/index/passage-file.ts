import type { Passage } from "../documents/document.ts"
import { truncatePassage } from "../documents/passages/size-limits.ts"
import { cachedPassage } from "./passage-cache.ts"
import { openRows, type RowFile } from "./row-file.ts"

/** The passages of an index: a row file whose records are JSON. */
export interface PassageFile extends Disposable {
  /** undefined for an unknown row, and for a passage longer than `maxBytes`. */
  read(row: number): Passage | undefined
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
      read: (row) => readPassage(rows, row),
      [Symbol.dispose]: () => rows[Symbol.dispose](),
    }
  )
}

function readPassage(rows: RowFile, row: number): Passage | undefined {
  return cachedPassage(`${rows.id}:${row}`, () => {
    const record = rows.read(row)
    return record && truncatePassage(JSON.parse(record.toString("utf8")))
  })
}
