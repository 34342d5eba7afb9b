import type { Database } from "bun:sqlite"

/**
 * The one connection that writes. Transactions that wait are grouped into one commit: each is a savepoint
 * of the same SQLite transaction, runs alone, and is acknowledged only when the whole is on the disk.
 * One fsync then serves many callers, which makes durable writes several times faster under load.
 */
export interface Writer {
  /**
   * Resolves when the caller may write, alone. Every `begin` is followed by one `commit` or one `rollback`.
   */
  begin(): Promise<void>
  /** Resolves once the transaction is durable; rejects when the group could not be committed. */
  commit(): Promise<void>
  /**
   * Instead of `commit`, for what need not outlive a power cut: done at once, and on the disk with the next
   * commit or a moment later. Only this writer sees it before.
   */
  leave(): void
  rollback(): void
  /**
   * Commits what waits for its group; to be called before the database is closed, after which nothing can be
   * written.
   */
  close(): void
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * A group is closed after so many transactions, so that the first of them does not wait for a queue that
 * never empties.
 */
const groupSize = 256
const lockRetryMs = 5
/** So long another process may wait for the lock on account of what was left. */
const leftMs = 20

/**
 * `lockTimeoutMs` bounds the wait for another process (a command beside the service); the event loop runs on
 * meanwhile.
 */
export function openWriter(database: Database, lockTimeoutMs: number): Writer {
  const waiting: Waiter[] = []
  let busy = false
  let group: Waiter[] = []
  let groupedCount = 0
  let scheduled = false
  /** Whether what runs now can be taken back alone. */
  let saved = false
  let left: NodeJS.Timeout | undefined
  let closed = false

  async function begin(): Promise<void> {
    // Counted from here, so that those who wait in line for the same lock are refused together and not one
    // after the other.
    const deadline = performance.now() + lockTimeoutMs
    if (busy) await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
    busy = true
    try {
      // The first of its group needs none: nothing stands before it. Pages are not copied for it then, a
      // sixth of an update's time.
      saved = database.inTransaction
      if (saved) database.run("SAVEPOINT one")
      else await lock(deadline)
    } catch (error) {
      next()
      throw error
    }
  }

  async function lock(deadline: number): Promise<void> {
    for (;;) {
      try {
        database.run("BEGIN IMMEDIATE")
        groupedCount = 0
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await Bun.sleep(lockRetryMs)
      }
    }
  }

  function commit(): Promise<void> {
    const durable = new Promise<void>((resolve, reject) => group.push({ resolve, reject }))
    // SQLite may have rolled everything back by itself (disk full): then nobody of the group is durable.
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else if (saved) attempt(() => database.run("RELEASE one"))
    next()
    return durable
  }

  function leave(): void {
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else if (saved) attempt(() => database.run("RELEASE one"))
    left ??= setTimeout(() => {
      left = undefined
      if (!busy && !closed) commitGroup()
    }, leftMs)
    next()
  }

  function rollback(): void {
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else attempt(() => database.run(saved ? "ROLLBACK TO one; RELEASE one" : "ROLLBACK"))
    next()
  }

  function attempt(run: () => void): void {
    try {
      run()
    } catch (error) {
      failGroup(error)
    }
  }

  /** Hands the connection to the next waiter, or has the group committed when nobody waits. */
  function next(): void {
    groupedCount++
    if (groupedCount >= groupSize || !database.inTransaction) commitGroup()
    const waiter = waiting.shift()
    if (waiter) waiter.resolve()
    else {
      busy = false
      if (group.length > 0) commitSoon()
      else if (!left) commitGroup()
    }
  }

  /**
   * Whoever is ready to write at this moment, but has not had its turn of the event loop yet, joins the
   * group: a commit stops the loop for a millisecond, so that one a question instead of one for six of them
   * cost a third of the service's throughput.
   */
  function commitSoon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (!busy && !closed) commitGroup()
    })
  }

  function commitGroup(): void {
    clearTimeout(left)
    left = undefined
    if (database.inTransaction) {
      try {
        database.run("COMMIT")
      } catch (error) {
        failGroup(error)
        return
      }
    }
    const done = group
    group = []
    for (const transaction of done) transaction.resolve()
  }

  function failGroup(error: unknown): void {
    clearTimeout(left)
    left = undefined
    if (database.inTransaction) database.run("ROLLBACK")
    const failed = group
    group = []
    for (const transaction of failed) transaction.reject(error)
  }

  function close(): void {
    closed = true
    if (!busy) commitGroup()
  }

  return { begin, commit, leave, rollback, close }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith("SQLITE_BUSY") ?? false
}
