import type { Clock } from "../../src/base/clock.ts"

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  move(ms: number): void
}

export function movableClock(startMs: number = Date.parse("2026-03-10T09:00:00Z")): MovableClock {
  let nowMs = startMs
  // Bun counts UUIDs of one millisecond, over all tests of a process, and borrows the next millisecond after some
  // 2,000. Ids of a clock that was moved by 1 ms would then sort before earlier ones: another instant begins anew.
  Bun.randomUUIDv7("hex", 0)
  return {
    now: () => nowMs,
    move(ms) {
      nowMs += ms
    },
  }
}
