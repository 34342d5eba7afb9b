import { expect, test } from "bun:test"
import { automaticAttempts, longestWaitMs, nextDueMs } from "../../../src/webhooks/messages/retry-schedule.ts"

const endedAtMs = 1_000_000

test("8 attempts: at once, then after 5 seconds, 5 and 30 minutes, 2, 5, 10 and 10 hours", () => {
  const waits = Array.from({ length: 9 }, (_, made) => nextDueMs(made, endedAtMs, () => 0)).map(
    (dueMs) => dueMs && (dueMs - endedAtMs) / 1000,
  )
  expect(waits).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000, undefined])
  expect(automaticAttempts).toBe(8)
})

test("jitter is only added: at most a fiftieth of the wait, at most ten seconds", () => {
  for (let made = 0; made < automaticAttempts; made++) {
    const earliest = nextDueMs(made, endedAtMs, () => 0) as number
    const latest = nextDueMs(made, endedAtMs, () => 0.999_999) as number
    expect(latest).toBeGreaterThanOrEqual(earliest)
    expect(latest - earliest).toBeLessThanOrEqual(Math.min((earliest - endedAtMs) / 50, 10_000))
    expect(latest).toBeLessThanOrEqual(endedAtMs + longestWaitMs(made))
  }
})
