import { openBatches, type PageRequest } from "../db/search.ts"

/** A cell of a downloaded table: a text, or a value that spreadsheets count with. */
export type Cell =
  | string
  /** As it is stored: `-12.5`. */
  | { number: string }
  /** `2026-11-26` */
  | { day: string }
  | { atMs: number }

export interface Table {
  columns: readonly string[]
  timezone: string
  /** Can be read once. */
  rows: AsyncGenerator<Cell[][]>
}

/** In batches by the id of the last row, read as they are taken: little memory, and no long read. */
export async function* tableRows<Row extends { id: string }>(
  read: (part: PageRequest) => Promise<Row[]>,
  cellsOf: (row: Row) => Cell[],
): AsyncGenerator<Cell[][]> {
  const batches = openBatches()
  let after: string | undefined
  for (let isOver = false; !isOver; ) {
    const wanted = batches.size()
    const batch = await read({ after, atMost: wanted })
    const rows: Cell[][] = []
    for (const row of batch) {
      const cells = cellsOf(row)
      rows.push(cells)
      await batches.add(cells.filter((cell) => typeof cell === "string"))
    }
    await batches.end()
    if (rows.length > 0) yield rows
    after = batch.at(-1)?.id
    isOver = batch.length < wanted
  }
}

/** Reads no rows before the stream is read: a request that is refused, or a HEAD, costs no rows. */
export function byteStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Formats a time as `2026-11-20 11:57:54`, which spreadsheets read as a date and no country misreads. */
export function tableTime(timezone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  })
  return (atMs) => format.format(atMs)
}
