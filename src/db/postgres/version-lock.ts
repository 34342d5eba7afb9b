import { secondMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import type { HeldDatabase, Lock } from "../connection.ts"
import type { Server } from "./client.ts"
import { takeLock } from "./lock.ts"
import { refuseNewer, versionLockName } from "./migrate.ts"
import { refuseMoved } from "./moved.ts"

/** Keeps every service of this version from starting, until disposed of. Undefined while one runs. */
export function refuseServices(server: Server, version: number): Promise<Lock | undefined> {
  return takeLock(server, versionLockName(version))
}

const retryMs = secondMs

/**
 * Locks the database at this service's version until disposed of: meanwhile no newer program migrates it. A lock
 * that is lost with its connection is taken again. Throws Refusal while a migration or a copy is under way, UsageError
 * when a newer program has migrated the database, or `guichet move` has moved it.
 */
export async function holdVersionLock(server: Server, version: number): Promise<HeldDatabase> {
  let lock = await take(server, version)
  const superseded = Promise.withResolvers<UsageError | Refusal>()
  let taking: Promise<void> | undefined

  async function takeAgain(): Promise<void> {
    try {
      lock = await take(server, version)
    } catch (error) {
      // Anything else passes: PostgreSQL is away.
      if (error instanceof UsageError || error instanceof Refusal) superseded.resolve(error)
    }
  }

  const timer = setInterval(() => {
    if (!lock.lost.aborted) return
    taking ??= takeAgain().finally(() => {
      taking = undefined
    })
  }, retryMs)
  timer.unref()
  return {
    superseded: superseded.promise,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await taking
      await lock[Symbol.asyncDispose]()
    },
  }
}

/**
 * Looks with the lock held: while it was free, the database may have been migrated by a newer program, or moved.
 */
async function take(server: Server, version: number): Promise<Lock> {
  const lock = await takeLock(server, versionLockName(version), "shared")
  if (!lock)
    throw new Refusal("unavailable", "", {
      reason:
        "a newer Guichet migrates the PostgreSQL database, or guichet move copies it: wait for its end, then start the right version",
    })
  try {
    await refuseNewer(server, version)
    await refuseMoved(server)
    return lock
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw error
  }
}
