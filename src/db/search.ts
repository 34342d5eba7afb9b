import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { fold } from "../base/text.ts"

/** Part of a list: `atMost` rows, starting after the row whose key is `after`. */
export interface PageRequest {
  after: string | undefined
  atMost: number
}

/**
 * Returns the rows whose texts contain `typed`, ignoring case, accents and Unicode encoding; every row when
 * `typed` is empty. SQLite cannot do this, since it ignores the case of ASCII letters only. Yields to the
 * event loop regularly, however many rows there are and however long their texts.
 */
export async function search<Row>(
  typed: string,
  { after, atMost }: PageRequest,
  read: (part: PageRequest) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  textsOf: (row: Row) => string[],
): Promise<Row[]> {
  if (typed.length > maxTypedLength) return []
  const sought = fold(typed)
  const hits: Row[] = []
  const batches = openBatches()
  let from = after
  for (let isOver = false; !isOver && hits.length < atMost; ) {
    const wanted = sought === "" ? Math.min(batches.size(), atMost - hits.length) : batches.size()
    const rows = await read({ after: from, atMost: wanted })
    for (const row of rows) {
      const texts = textsOf(row)
      if (sought === "" || texts.some((text) => fold(text).includes(sought))) hits.push(row)
      await batches.add(texts)
    }
    const last = rows.at(-1)
    isOver = rows.length < wanted || last === undefined
    from = last && keyOf(last)
    await batches.end()
  }
  return hits.slice(0, atMost)
}

/** Bytes of rows that one page of a list reads, so that long ones do not hold up other requests. */
const maxPageBytes = 1_000_000

/** How many of these rows, first ones first, make a page of `atMost`: as many as fit its bytes, at least one. */
export function rowsOfPage(sized: readonly { bytes: number | string }[], atMost: number): number {
  let [count, bytes] = [0, 0]
  while (count < Math.min(sized.length, atMost) && (count === 0 || bytes < maxPageBytes))
    bytes += Number(sized[count++]?.bytes)
  return count
}

/** In UTF-16 units: people type less to find something. */
const maxTypedLength = 1000
/** Rows of a batch: at most, and in the first one. */
const maxBatchRows = 500
const firstBatchRows = 20
/** Characters that a batch aims at, and those processed before yielding to the event loop. */
const batchLength = 1_000_000
const yieldLength = 200_000

/** Adapts the number of rows per batch to the length of the rows before. */
export function openBatches() {
  let rows = firstBatchRows
  let seen = 0
  let length = 0
  let sinceYield = 0

  return {
    /** Rows to read in the next batch. */
    size: () => rows,
    /** To be called for each row. */
    async add(texts: readonly { length: number }[]): Promise<void> {
      const own = texts.reduce((sum, text) => sum + text.length, 0)
      seen++
      length += own
      sinceYield += own
      if (sinceYield < yieldLength) return
      sinceYield = 0
      await yieldToEventLoop()
    },
    /** To be called after each batch. */
    async end(): Promise<void> {
      const fitting = Math.floor((batchLength * seen) / Math.max(length, 1))
      rows = Math.min(Math.max(fitting, 1), rows * 4, maxBatchRows)
      seen = 0
      length = 0
      sinceYield = 0
      await yieldToEventLoop()
    },
  }
}
