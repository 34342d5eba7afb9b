import type { FailureKind } from "./failure.ts"
import { ModelFailure } from "./failure.ts"

interface Times {
  firstPieceMs: number
  pauseMs: number
  /** On the clock of performance.now(). */
  endsAtMs: number
}

/**
 * The pieces of a call, as long as each comes in time. Ends the call in every case; one that ignores its
 * signal is left behind. Throws ModelFailure `silent`, `stalled` or `slow`, and the caller's reason when the
 * caller goes away.
 */
export async function* inTime<Piece>(
  call: (signal: AbortSignal) => AsyncIterable<Piece>,
  callerSignal: AbortSignal,
  { firstPieceMs, pauseMs, endsAtMs }: Times,
): AsyncGenerator<Piece> {
  callerSignal.throwIfAborted()
  const stop = new AbortController()
  const pieces = call(stop.signal)[Symbol.asyncIterator]()
  let waitMs = firstPieceMs
  let kind: FailureKind = "silent"
  try {
    for (;;) {
      const leftMs = endsAtMs - performance.now()
      const late = new ModelFailure(leftMs < waitMs ? "slow" : kind)
      const { done, value } = await within(Math.min(waitMs, leftMs), callerSignal, pieces.next(), late)
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

/** The work's result, unless its time is over or the caller goes away before. */
export async function within<Result>(
  ms: number,
  callerSignal: AbortSignal,
  work: Promise<Result>,
  late: ModelFailure,
): Promise<Result> {
  callerSignal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const gone = () => reject(callerSignal.reason)
  const timer = setTimeout(() => reject(late), Math.max(ms, 0))
  callerSignal.addEventListener("abort", gone)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    callerSignal.removeEventListener("abort", gone)
    // What comes after all is nobody's business.
    work.catch(() => {})
  }
}
