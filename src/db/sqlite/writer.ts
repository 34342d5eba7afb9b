import type { Database } from "bun:sqlite"
import { isBusy } from "./explain-error.ts"

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
  return new GroupWriter(database, lockTimeoutMs)
}

class GroupWriter implements Writer {
  private readonly database: Database
  private readonly lockTimeoutMs: number
  private readonly waiting: Waiter[] = []
  private busy = false
  /** Transactions that are durable once the group is committed. */
  private group: Waiter[] = []
  private groupedCount = 0
  /** Whether the current transaction has a savepoint, and so can be rolled back alone. */
  private hasSavepoint = false
  private scheduled = false
  private lazyTimer: NodeJS.Timeout | undefined
  private closed = false

  constructor(database: Database, lockTimeoutMs: number) {
    this.database = database
    this.lockTimeoutMs = lockTimeoutMs
  }

  async begin(): Promise<void> {
    // The deadline starts here, so that callers queued behind the same lock time out together, not one after
    // the other.
    const deadline = performance.now() + this.lockTimeoutMs
    if (this.busy) await new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }))
    this.busy = true
    try {
      // The first transaction of a group needs no savepoint, which saves SQLite copying the changed pages.
      this.hasSavepoint = this.database.inTransaction
      if (this.hasSavepoint) this.database.run("SAVEPOINT one")
      else await this.lock(deadline)
    } catch (error) {
      this.passOn()
      throw error
    }
  }

  private async lock(deadline: number): Promise<void> {
    for (;;) {
      try {
        this.database.run("BEGIN IMMEDIATE")
        this.groupedCount = 0
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await Bun.sleep(lockRetryMs)
      }
    }
  }

  commit(): Promise<void> {
    const durable = new Promise<void>((resolve, reject) => this.group.push({ resolve, reject }))
    this.end(this.hasSavepoint ? "RELEASE one" : undefined)
    this.passOn()
    return durable
  }

  commitLazily(): void {
    this.end(this.hasSavepoint ? "RELEASE one" : undefined)
    this.lazyTimer ??= setTimeout(() => {
      this.lazyTimer = undefined
      if (!this.busy && !this.closed) this.commitGroup()
    }, lazyCommitMs)
    this.passOn()
  }

  rollback(): void {
    this.end(this.hasSavepoint ? "ROLLBACK TO one; RELEASE one" : "ROLLBACK")
    this.passOn()
  }

  /** Ends the current transaction with a statement. Where that fails, the whole group is lost. */
  private end(statement: string | undefined): void {
    try {
      // SQLite may have rolled everything back by itself (disk full).
      if (!this.database.inTransaction) throw new Error("SQLite gave up the transaction")
      if (statement) this.database.run(statement)
    } catch (error) {
      this.failGroup(error)
    }
  }

  /** Passes the connection on to the next waiter, or commits the group when none waits. */
  private passOn(): void {
    this.groupedCount++
    if (this.groupedCount >= maxGroupSize || !this.database.inTransaction) this.commitGroup()
    const waiter = this.waiting.shift()
    if (waiter) waiter.resolve()
    else {
      this.busy = false
      if (this.group.length > 0) this.commitSoon()
      else if (!this.lazyTimer) this.commitGroup()
    }
  }

  /**
   * Commits after the current tick of the event loop, so that callers that are ready to write but have not
   * run yet join the group. A commit blocks the loop while the disk syncs, so fewer commits mean more
   * throughput.
   */
  private commitSoon(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      if (!this.busy && !this.closed) this.commitGroup()
    })
  }

  private commitGroup(): void {
    try {
      if (this.database.inTransaction) this.database.run("COMMIT")
    } catch (error) {
      this.failGroup(error)
      return
    }
    for (const transaction of this.takeGroup()) transaction.resolve()
  }

  private failGroup(error: unknown): void {
    if (this.database.inTransaction) this.database.run("ROLLBACK")
    for (const transaction of this.takeGroup()) transaction.reject(error)
  }

  /** The transactions of the group that ends now. */
  private takeGroup(): Waiter[] {
    clearTimeout(this.lazyTimer)
    this.lazyTimer = undefined
    const { group } = this
    this.group = []
    return group
  }

  close(): void {
    this.closed = true
    if (!this.busy) this.commitGroup()
  }
}
