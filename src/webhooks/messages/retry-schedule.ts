import { hourMs, minuteMs, secondMs } from "../../base/clock.ts"

/**
 * The wait before each attempt, from the end of the one before. Specification, part 4 B: "8 in total:
 * immediately, then after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 10 hours". A change of it is a
 * change of this list: texts of the code say it by `retryScheduleIn`, and a test holds README and pages to it.
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

/** How long after the first attempt the last one begins, if each fails at once. */
export const lastAttemptAfterMs = waitsMs.reduce((sum: number, waitMs) => sum + waitMs)

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

/** The schedule as every text says it: pieces of a sentence, in its language. */
export function retryScheduleIn(language: "fr" | "en-GB") {
  const inUnit = (unit: "hour" | "minute" | "second", count: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count)
  const duration = (ms: number) => {
    if (ms % hourMs === 0) return inUnit("hour", ms / hourMs)
    return ms % minuteMs === 0 ? inUnit("minute", ms / minuteMs) : inUnit("second", ms / secondMs)
  }
  const hours = Math.floor(lastAttemptAfterMs / hourMs)
  return {
    attempts: automaticAttempts,
    /** `5 seconds, 5 minutes, … and 10 hours`: the wait before each attempt but the first. */
    waits: new Intl.ListFormat(language).format(waitsMs.slice(1).map(duration)),
    /** `27 hours`, and a little more: how long it is tried. */
    wholeHours: inUnit("hour", hours),
    lastAfter: `${hours} h ${Math.floor((lastAttemptAfterMs % hourMs) / minuteMs)}`,
  }
}
