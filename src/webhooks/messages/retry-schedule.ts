import { hourMs, minuteMs, secondMs } from "../../base/clock.ts"

/**
 * The wait before each attempt, from the end of the one before. Specification, part 4 B: "8 in total:
 * immediately, then after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 10 hours".
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

/** Manual attempts come on top. */
export const automaticAttempts = waitsMs.length

const maxJitterMs = 10 * secondMs

/**
 * When the next automatic attempt is due, once `attemptsMade` attempts were made and the last one ended at
 * `endedAtMs`; undefined when none is left. An attempt is never early: jitter is only added, at most 2 % of
 * the wait and 10 seconds, so that deliveries that failed together do not come back together. `random` gives
 * 0 to 1.
 */
export function nextDueMs(attemptsMade: number, endedAtMs: number, random: () => number): number | undefined {
  const waitMs = waitsMs[attemptsMade]
  return waitMs === undefined ? undefined : endedAtMs + waitMs + Math.floor(random() * jitterMs(waitMs))
}

/** The longest wait, jitter included, before the attempt that follows `attemptsMade` attempts. */
export function longestWaitMs(attemptsMade: number): number {
  const waitMs = waitsMs[attemptsMade] ?? 0
  return waitMs + jitterMs(waitMs)
}

function jitterMs(waitMs: number): number {
  return Math.min(waitMs / 50, maxJitterMs)
}
