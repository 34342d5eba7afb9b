import { availableParallelism } from "node:os"
import { openSemaphore } from "../base/async.ts"
import { detail, Refusal } from "../base/errors.ts"

/** Each occupies one core and 19 MiB: one core is left to visitors and to the runtime's threads. */
export const maxConcurrentHashes = Math.max(1, Math.min(4, availableParallelism() - 1))
/** Pending sign-ins from unknown browsers; further ones are refused at once. */
export const maxPendingSignIns = 30

/** Module state, because it protects the cores, which the whole process shares. */
const hashes = openSemaphore(maxConcurrentHashes)
let pendingSignIns = 0

/** Admits a sign-in from an unknown browser until it is disposed of. Throws Refusal `unavailable`. */
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
