import { secondMs } from "../../base/clock.ts"
import { UsageError } from "../../base/errors.ts"
import type { Server } from "./client.ts"
import { type HeldLock, takeLock } from "./lock.ts"

/** Keeps every service of this version from starting, until disposed of. Undefined while one runs. */
export function refuseServices(server: Server, version: number): Promise<HeldLock | undefined> {
  return takeLock(server, nameOf(version))
}

const retryMs = 5 * secondMs

/**
 * Locks the database at this service's version until disposed of: meanwhile no newer program migrates it. A
 * lock that is lost with its connection is taken again. Throws UsageError while a migration is under way.
 */
export async function holdVersionLock(server: Server, version: number): Promise<AsyncDisposable> {
  const take = () => takeLock(server, nameOf(version), "shared")
  let lock: HeldLock | undefined = await take()
  if (!lock)
    throw new UsageError(
      "a newer Guichet migrates the PostgreSQL database, or guichet move copies it: wait for its end, then start the right version",
    )
  const timer = setInterval(async () => {
    if (lock && !lock.lost.aborted) return
    lock = await take().catch(() => undefined)
  }, retryMs)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await lock?.[Symbol.asyncDispose]()
    },
  }
}

function nameOf(version: number): string {
  return `service-${version}`
}
