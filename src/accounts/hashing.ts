import { availableParallelism } from "node:os"
import { openSemaphore } from "../base/async.ts"
import { detail, Refusal } from "../base/errors.ts"

/**
 * Hashes running at the same time. Each occupies one core and 19 MiB, so one core is left to visitors and to
 * other work that needs the runtime's threads.
 */
const maxConcurrentHashes = Math.max(1, Math.min(4, availableParallelism() - 1))
/**
 * Sign-ins from unknown browsers that may be pending. Further ones are refused at once, instead of waiting
 * behind a crowd.
 */
export const maxPendingSignIns = 30

/** Module state, because it protects the cores, which the whole process shares. */
const hashes = openSemaphore(maxConcurrentHashes)
let pendingSignIns = 0

/**
 * Admits one more sign-in from an unknown browser; disposing of the result ends it. Throws Refusal
 * `unavailable` when `maxPendingSignIns` are pending.
 */
export function admitSignIn(): Disposable {
  if (pendingSignIns >= maxPendingSignIns)
    throw new Refusal("unavailable", detail("accounts.crowdedSignIn"), { retryAfterSeconds: 5 })
  pendingSignIns++
  return {
    [Symbol.dispose]() {
      pendingSignIns--
    },
  }
}

/** Runs `work` once a place is free. `first` puts it at the front of the queue. */
export function queueHash<Value>(work: () => Promise<Value>, first = false): Promise<Value> {
  return hashes.run(work, first)
}
