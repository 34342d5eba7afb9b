import type { FailureKind } from "./failure.ts"
import { ModelFailure } from "./failure.ts"

export interface StreamTimeouts {
  firstPieceMs: number
  /** The longest wait between two pieces. */
  pauseMs: number
  /** On the clock of performance.now(). */
  endsAtMs: number
}

/**
 * Yields the pieces of a call as long as each comes in time. Always ends the call; a call that ignores its
 * signal is abandoned. Throws ModelFailure `silent`, `stalled` or `slow`, or the caller's abort reason when
 * the caller goes away.
 */
export async function* withStreamTimeouts<Piece>(
  call: (signal: AbortSignal) => AsyncIterable<Piece>,
  callerSignal: AbortSignal,
  { firstPieceMs, pauseMs, endsAtMs }: StreamTimeouts,
): AsyncGenerator<Piece> {
  callerSignal.throwIfAborted()
  const stop = new AbortController()
  const pieces = call(stop.signal)[Symbol.asyncIterator]()
  let waitMs = firstPieceMs
  let kind: FailureKind = "silent"
  try {
    for (;;) {
      const leftMs = endsAtMs - performance.now()
      const failure = new ModelFailure(leftMs < waitMs ? "slow" : kind)
      const timeoutMs = Math.min(waitMs, leftMs)
      const { done, value } = await withTimeout(timeoutMs, callerSignal, pieces.next(), failure)
      if (done) return
      yield value
      waitMs = pauseMs
      kind = "stalled"
    }
  } finally {
    stop.abort()
    void pieces.return?.().catch(() => {})
  }
}

/**
 * Resolves to the result of `work`. Rejects with `failure` after `ms`, and with the caller's abort reason
 * when the caller goes away.
 */
export async function withTimeout<Result>(
  ms: number,
  callerSignal: AbortSignal,
  work: Promise<Result>,
  failure: ModelFailure,
): Promise<Result> {
  callerSignal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(callerSignal.reason)
  const timer = setTimeout(() => reject(failure), Math.max(ms, 0))
  callerSignal.addEventListener("abort", onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    callerSignal.removeEventListener("abort", onAbort)
    // The work may still fail later, when nobody waits for it.
    work.catch(() => {})
  }
}

/** Unlike the timer of node:timers/promises, rejects with the signal's own reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(resolve, ms)
  signal.addEventListener("abort", onAbort)
  try {
    signal.throwIfAborted()
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
  }
}
