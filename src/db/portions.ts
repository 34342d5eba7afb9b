import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { openSemaphore } from "../base/async.ts"
import { perDatabase } from "./batch.ts"
import type { Db } from "./connection.ts"

/** Neighbouring rows of an index. */
export interface Portion {
  /** Key of the row before the portion; undefined for the first one. */
  after: string | undefined
  /** Key of the last row of the portion; undefined where the portion goes to the end. */
  last: string | undefined
}

interface Reading {
  after?: string | undefined
  /** Rows after which the reading stops, for its reader to decide; all of them without. */
  mostRows?: number
}

const targetMs = 15
const rows = { first: 500, least: 50, most: 20_000 }

/**
 * Divides rows whose number and length strangers chose into portions that take about 20 ms to read. The caller does
 * its work on a portion inside the loop. Requests come in between, and all readings of a database wait in one line,
 * so that a hundred of them hold the event loop no longer than one. `keyAt` finds the key of the row that stands
 * `offset` rows behind the row `after`. The last portion has a `last` only where the reading stopped at `mostRows`.
 */
export async function* inPortions(
  db: Db,
  keyAt: (after: string | undefined, offset: number) => Promise<string | undefined>,
  { after, mostRows = Number.POSITIVE_INFINITY }: Reading = {},
): AsyncGenerator<Portion> {
  let [size, read] = [rows.first, 0]
  let last = after
  do {
    const release = await waitingLine(db).acquire()
    try {
      const startedAtMs = performance.now()
      const wanted = Math.min(size, mostRows - read)
      const portion = { after: last, last: await keyAt(last, wanted - 1) }
      yield portion
      last = portion.last
      read += wanted
      const fitting = Math.round((size * targetMs) / Math.max(performance.now() - startedAtMs, 0.1))
      size = Math.min(Math.max(fitting, rows.least), 4 * size, rows.most)
      await yieldToEventLoop()
    } finally {
      release()
    }
  } while (last !== undefined && read < mostRows)
}

const waitingLine = perDatabase((_: Db) => openSemaphore(1))
