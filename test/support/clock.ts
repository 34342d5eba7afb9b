import type { Clock } from "../../src/base/clock.ts"

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  move(ms: number): void
}

export function movableClock(startMs: number = Date.parse("2026-03-10T09:00:00Z")): MovableClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    move(ms) {
      nowMs += ms
    },
  }
}
