import { withTimeout } from "../../base/async.ts"
import { type FailureKind, ModelFailure } from "./failure.ts"

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
