import type { Clock } from "../../base/clock.ts"
import { ModelFailure } from "./failure.ts"

/** Leaves a model alone that has failed several times in a row, then tries it with one call. */
export interface Circuit {
  /** Throws ModelFailure `circuit` while the model is left alone. */
  check(): void
  /**
   * The same for a call that begins now: after the rest it is the one that tries, and others wait for what
   * becomes of it.
   */
  begin(): void
  succeeded(): void
  failed(failure: ModelFailure): void
  /** A call ended without telling anything about the model. */
  unknown(): void
  isOpen(): boolean
}

export function openCircuit(clock: Clock, limits: { outages: number; restMs: number }): Circuit {
  let outages = 0
  let restsUntilMs = 0
  let isTrying = false

  const isOpen = () => outages >= limits.outages

  function check(): void {
    if (!isOpen()) return
    const leftMs = restsUntilMs - clock.now()
    if (leftMs > 0 || isTrying)
      throw new ModelFailure("circuit", { retryAfterMs: leftMs > 0 ? leftMs : limits.restMs })
  }

  return {
    isOpen,
    check,
    begin() {
      check()
      isTrying = isOpen()
    },
    succeeded() {
      outages = 0
      isTrying = false
    },
    failed(failure) {
      isTrying = false
      if (!failure.isOutage) return
      outages++
      if (isOpen()) restsUntilMs = clock.now() + Math.max(limits.restMs, pauseOf(failure))
    },
    unknown() {
      isTrying = false
    },
  }
}

/** A server may ask for a longer rest, not for any: its quota may be back long before it says so. */
function pauseOf({ retryAfterMs = 0 }: ModelFailure): number {
  return Math.min(retryAfterMs, longestRestMs)
}

const longestRestMs = 300_000
