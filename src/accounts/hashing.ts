import { availableParallelism } from "node:os"
import { detail, Refusal } from "../base/errors.ts"

/**
 * Each takes a core and 19 MiB for some 30 ms: one core is left to visitors, and to what else needs the
 * threads of the runtime.
 */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
/** Some two seconds of work. Whoever comes then is told at once, instead of waiting behind a crowd. */
export const mostStrangers = 30

let running = 0
let strangers = 0
/**
 * Of the whole process, as the cores are: whoever waits to have a password hashed. Those at the front go
 * first.
 */
const waiting: (() => void)[] = []

/**
 * A place for one more whose password is to be looked at, until it is disposed of. Throws Refusal
 * `unavailable` when there is none.
 */
export function placeInCrowd(): Disposable {
  if (strangers >= mostStrangers)
    throw new Refusal("unavailable", detail("accounts.crowdedSignIn"), {
      reason: "too many passwords wait to be looked at",
      retryAfterSeconds: 5,
    })
  strangers++
  return {
    [Symbol.dispose]() {
      strangers--
    },
  }
}

/** Does the work, in a thread of the runtime's, once it is its turn. `first`: before all who wait. */
export async function inTurn<Value>(work: () => Promise<Value>, first = false): Promise<Value> {
  if (running < atOnce) running++
  else
    await new Promise<void>((resolve) => {
      if (first) waiting.unshift(resolve)
      else waiting.push(resolve)
    })
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
