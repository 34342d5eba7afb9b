import { hourMs, minuteMs, secondMs } from "../../base/clock.ts"

/**
 * "8 in total: immediately, then after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 10 hours"
 * (specification, part 4 B): the wait before each attempt, from the end of the one before.
 */
const waitsMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const

/** Manual ones come on top. */
export const automaticAttempts = waitsMs.length

const largestJitterMs = 10 * secondMs

/**
 * When the next automatic attempt is due, `attemptsMade` having been made and the last of them ended at `endedAtMs`; undefined when
 * there is none left. Never early: jitter is only added, at most a fiftieth of the wait and 10 seconds, so that what failed
 * together does not come back together. `random` gives 0 to 1.
 */
export function nextDueMs(attemptsMade: number, endedAtMs: number, random: () => number): number | undefined {
  const waitMs = waitsMs[attemptsMade]
  return waitMs === undefined ? undefined : endedAtMs + waitMs + Math.floor(random() * jitterMs(waitMs))
}

/** The furthest ahead that the next attempt can be due. */
export function longestWaitMs(attemptsMade: number): number {
  const waitMs = waitsMs[attemptsMade] ?? 0
  return waitMs + jitterMs(waitMs)
}

function jitterMs(waitMs: number): number {
  return Math.min(waitMs / 50, largestJitterMs)
}
