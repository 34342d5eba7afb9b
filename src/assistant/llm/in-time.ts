import { withTimeout } from "../../base/async.ts"
import { type FailureKind, ModelFailure } from "./failure.ts"

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
      const late = () => new ModelFailure(leftMs < waitMs ? "slow" : kind)
      const { done, value } = await withTimeout(pieces.next(), Math.min(waitMs, leftMs), late, callerSignal)
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
