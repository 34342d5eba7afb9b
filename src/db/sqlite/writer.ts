import type { Database } from "bun:sqlite"

/**
 * The one connection that writes, with group commit. Waiting transactions share one SQLite transaction: each
 * is a savepoint in it, runs alone, and is acknowledged only once the whole group is on the disk. One fsync
 * thus serves many callers.
 */
export interface Writer {
  /**
   * Resolves when the caller may write, alone. Every `begin` is followed by one `commit`, `commitLazily` or
   * `rollback`. Rejects when another process holds the database for longer than the timeout.
   */
  begin(): Promise<void>
  /** Resolves once the transaction is durable; rejects when the group could not be committed. */
  commit(): Promise<void>
  /**
   * Ends the transaction without waiting for the disk; a power cut may lose it. It is committed with the next
   * group, or about `lazyCommitMs` later. Until then only this writer's connection sees it.
   */
  commitLazily(): void
  rollback(): void
  /** Commits the pending group. Call it before closing the database; nothing can be written afterwards. */
  close(): void
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/** Transactions in a group: a bound, so that the first one does not wait for a queue that never empties. */
const maxGroupSize = 256
const lockRetryMs = 5
/** Time until lazy commits are written, during which another process has to wait for the lock. */
const lazyCommitMs = 20

/**
 * Opens the writer. `lockTimeoutMs` bounds the wait for another process, such as a command beside the
 * service. The event loop keeps running during the wait.
 */
export function openWriter(database: Database, lockTimeoutMs: number): Writer {
  const waiting: Waiter[] = []
  let busy = false
  let group: Waiter[] = []
  let groupedCount = 0
  let scheduled = false
  /** Whether the current transaction has a savepoint, and so can be rolled back alone. */
  let hasSavepoint = false
  let lazyTimer: NodeJS.Timeout | undefined
  let closed = false

  async function begin(): Promise<void> {
    // The deadline starts here, so that callers queued behind the same lock time out together, not one after
    // the other.
    const deadline = performance.now() + lockTimeoutMs
    if (busy) await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
    busy = true
    try {
      // The first transaction of a group needs no savepoint, which saves SQLite copying the changed pages.
      hasSavepoint = database.inTransaction
      if (hasSavepoint) database.run("SAVEPOINT one")
      else await lock(deadline)
    } catch (error) {
      passOn()
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
    // SQLite may have rolled the whole transaction back by itself (disk full): then all of the group is lost.
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else if (hasSavepoint) orFailGroup(() => database.run("RELEASE one"))
    passOn()
    return durable
  }

  function commitLazily(): void {
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else if (hasSavepoint) orFailGroup(() => database.run("RELEASE one"))
    lazyTimer ??= setTimeout(() => {
      lazyTimer = undefined
      if (!busy && !closed) commitGroup()
    }, lazyCommitMs)
    passOn()
  }

  function rollback(): void {
    if (!database.inTransaction) failGroup(new Error("SQLite gave up the transaction"))
    else orFailGroup(() => database.run(hasSavepoint ? "ROLLBACK TO one; RELEASE one" : "ROLLBACK"))
    passOn()
  }

  function orFailGroup(run: () => void): void {
    try {
      run()
    } catch (error) {
      failGroup(error)
    }
  }

  /** Passes the connection on to the next waiter, or commits the group when none waits. */
  function passOn(): void {
    groupedCount++
    if (groupedCount >= maxGroupSize || !database.inTransaction) commitGroup()
    const waiter = waiting.shift()
    if (waiter) waiter.resolve()
    else {
      busy = false
      if (group.length > 0) commitSoon()
      else if (!lazyTimer) commitGroup()
    }
  }

  /**
   * Commits after the current tick of the event loop, so that callers that are ready to write but have not
   * run yet join the group. A commit blocks the loop while the disk syncs, so fewer commits mean more
   * throughput.
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
    clearTimeout(lazyTimer)
    lazyTimer = undefined
    if (database.inTransaction) {
      try {
        database.run("COMMIT")
      } catch (error) {
        failGroup(error)
        return
      }
    }
    const committed = group
    group = []
    for (const transaction of committed) transaction.resolve()
  }

  function failGroup(error: unknown): void {
    clearTimeout(lazyTimer)
    lazyTimer = undefined
    if (database.inTransaction) database.run("ROLLBACK")
    const failed = group
    group = []
    for (const transaction of failed) transaction.reject(error)
  }

  function close(): void {
    closed = true
    if (!busy) commitGroup()
  }

  return { begin, commit, commitLazily, rollback, close }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith("SQLITE_BUSY") ?? false
}
