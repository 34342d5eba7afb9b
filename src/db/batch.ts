import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { isBusy } from "./sqlite/explain-error.ts"

/** How a member of a batch ended: each one has its own end, whatever becomes of the others. */
export type Settled<Result> = { result: Result } | { error: unknown }

/**
 * Runs a batch in one transaction and gives the end of each member, in their order. When it rejects, it has stored
 * nothing.
 */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Settled<Result>[]>

/** Gathers items while the last batch is under way, and then runs them together: one commit serves many callers. */
export type Batch<Item, Result> = (item: Item) => Promise<Result>

interface Member<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Members of one batch: a bound, so that the first one does not wait for too much work of others. */
const maxMembers = 64

export interface BatchOptions {
  /** Called when nothing is under way any more. */
  onRest?(): void
  /** From the end of a batch to the next one: callers that come one after the other share it. */
  pauseMs?: number
}

export function openBatch<Item, Result>(
  run: RunBatch<Item, Result>,
  { onRest, pauseMs = 0 }: BatchOptions = {},
): Batch<Item, Result> {
  const waiting: Member<Item, Result>[] = []
  let isRunning = false
  let endedAtMs = Number.NEGATIVE_INFINITY

  async function runAll(): Promise<void> {
    isRunning = true
    // Callers that are ready in the same tick of the event loop join the first batch.
    await yieldToEventLoop()
    while (waiting.length > 0) {
      const leftMs = endedAtMs + pauseMs - performance.now()
      if (leftMs > 0) await Bun.sleep(leftMs)
      await runMembers(run, waiting.splice(0, maxMembers))
      endedAtMs = performance.now()
    }
    isRunning = false
    onRest?.()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void runAll()
    })
}

/**
 * Like `openBatch`, with a batch of its own for each key: those of different keys do not wait for each other.
 */
export function openBatches<Item, Result>(
  run: RunBatch<Item, Result>,
  keyOf: (item: Item) => string,
): Batch<Item, Result> {
  const batches = new Map<string, Batch<Item, Result>>()
  return (item) => {
    const key = keyOf(item)
    const batch = batches.get(key) ?? openBatch(run, { onRest: () => batches.delete(key) })
    batches.set(key, batch)
    return batch(item)
  }
}

/** Makes `open` once for each database and keeps what it returned as long as the database. */
export function perDatabase<Key extends object, Opened>(open: (db: Key) => Opened): (db: Key) => Opened {
  const opened = new WeakMap<Key, Opened>()
  return (db) => {
    const part = opened.get(db) ?? open(db)
    opened.set(db, part)
    return part
  }
}

/** Never rejects. */
async function runMembers<Item, Result>(
  run: RunBatch<Item, Result>,
  members: readonly Member<Item, Result>[],
): Promise<void> {
  try {
    const ended = await run(members.map(({ item }) => item))
    for (const [index, { resolve, reject }] of members.entries()) {
      const end = ended[index] as Settled<Result>
      if ("error" in end) reject(end.error)
      else resolve(end.result)
    }
  } catch (error) {
    // One member may have made the batch fail. Alone, it fails alone; where another process held SQLite for as long
    // as a batch waits, each one would wait as long again.
    if (members.length > 1 && isUndone(error) && !isBusy(error))
      for (const member of members) await runMembers(run, [member])
    else for (const { reject } of members) reject(error)
  }
}

/**
 * Whether nothing was stored for certain: our own code threw before the commit, or the server refused a statement (by
 * its SQLSTATE: wrong data, a broken constraint, a serialisation failure or a deadlock). A connection that broke may
 * have stored everything.
 */
function isUndone(error: unknown): boolean {
  const { errno, code } = (error ?? {}) as { errno?: unknown; code?: unknown }
  if (typeof errno === "string") return /^(22|23|40)/.test(errno)
  return !String(code).startsWith("ERR_POSTGRES")
}
