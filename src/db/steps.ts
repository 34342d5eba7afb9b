import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Db } from "./connection.ts"
import { engineOf } from "./words.ts"

/** A row to be worked on, with the bytes that are rewritten for it. */
export interface WeighedRow {
  bytes: number | null
}

/** A step ends at the first of these. The commit comes on top and takes about as long again. */
const step = { ms: 10, bytes: 2_000_000 }
/** In SQLite, the clock is looked at after each slice. */
const slice = { rows: 20, bytes: 250_000 }
/**
 * PostgreSQL works beside the event loop, and locks rows: a step is one call of `work` there, which locks in one order.
 * Several calls in a transaction could wait for another one that waits for them.
 */
const onlySlice = { rows: 200, bytes: 1_000_000 }
/** Rows that `find` is asked for. */
const maxFound = 500

type Work<Row> = (transaction: Db, rows: Row[]) => Promise<unknown>

/**
 * Works on rows whose number and size strangers chose, in steps of about 20 ms. Each step is a transaction of its own:
 * other writers and waiting requests come in between. `find` reads rows that are still to be worked on, `work` gets
 * the first of them, at least one. It is over once `find` finds none. `afterStep` is called once a step is committed.
 * Resolves to the number of rows.
 */
export async function inSteps<Row extends WeighedRow>(
  db: Db,
  find: (transaction: Db, atMost: number) => Promise<Row[]>,
  work: Work<Row>,
  afterStep: () => void = () => {},
): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await db.transaction().execute(async (transaction) => {
      const endsAtMs = performance.now() + step.ms
      return oneStep(transaction, await find(transaction, maxFound), work, endsAtMs)
    })
    if (rows === 0) return done
    done += rows
    afterStep()
    await yieldToEventLoop()
  }
}

/** The same for rows that are known already, all of about this size. */
export async function inStepsOver<Item>(
  db: Db,
  items: readonly Item[],
  bytes: number,
  work: (transaction: Db, items: Item[]) => Promise<unknown>,
  afterStep?: () => void,
): Promise<void> {
  let done = 0
  await inSteps(
    db,
    async (_, atMost) => items.slice(done, done + atMost).map((item) => ({ item, bytes })),
    async (transaction, rows) => {
      await work(
        transaction,
        rows.map(({ item }) => item),
      )
      done += rows.length
    },
    afterStep,
  )
}

async function oneStep<Row extends WeighedRow>(
  transaction: Db,
  found: Row[],
  work: Work<Row>,
  endsAtMs: number,
): Promise<number> {
  if (engineOf(transaction) === "postgres" && found.length > 0) {
    const rows = firstSlice(found, onlySlice)
    await work(transaction, rows)
    return rows.length
  }
  let [done, bytes] = [0, 0]
  while (done < found.length && bytes < step.bytes && (done === 0 || performance.now() < endsAtMs)) {
    const rows = firstSlice(found.slice(done), slice)
    await work(transaction, rows)
    done += rows.length
    bytes += totalBytes(rows)
  }
  return done
}

/** As many rows as a slice holds, and at least one. */
function firstSlice<Row extends WeighedRow>(found: Row[], size: typeof slice): Row[] {
  const rows = found.slice(0, size.rows)
  const end = rows.findIndex((_, index) => totalBytes(rows.slice(0, index + 1)) > size.bytes)
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1))
}

function totalBytes(rows: readonly WeighedRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0)
}
