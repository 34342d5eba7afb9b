import { expect, test } from "bun:test"
import { hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { afterStart, mayStart, mayStartAtMs, type Rate } from "../../../src/webhooks/endpoints/pace.ts"

/** How many start in each millisecond of this time, with as much waiting as may go. */
function startsOf(rate: Rate, lengthMs: number, everyMs = 1): number[] {
  let freeAtMs = 0
  return Array.from({ length: lengthMs / everyMs }, (_, at) => {
    const moment = { freeAtMs, nowMs: hourMs + at * everyMs }
    const count = mayStart(rate, moment)
    if (count > 0) freeAtMs = afterStart(rate, moment, count)
    return count
  })
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

test.each([
  [{ messages: 1, per: "second" }, secondMs, 1],
  [{ messages: 7, per: "second" }, secondMs, 7],
  [{ messages: 10, per: "second" }, secondMs, 10],
  [{ messages: 90, per: "minute" }, minuteMs, 90],
] as const)("%j: no more in any period, and all of them in each", (rate, periodMs, most) => {
  const starts = startsOf(rate, 2 * periodMs, rate.per === "second" ? 1 : 10)
  const length = starts.length / 2
  for (let from = 0; from + length <= starts.length; from += 50)
    expect(sum(starts.slice(from, from + length))).toBeLessThanOrEqual(most)
  expect(sum(starts.slice(0, length))).toBe(most)
})

test("attempts less than a tenth of a second apart go together", () => {
  const rate: Rate = { messages: 200, per: "second" }
  const starts = startsOf(rate, secondMs, 100)
  expect(starts).toEqual(Array(10).fill(20))
})

test("a clock that is set back holds nothing up for longer than the spread", () => {
  const rate: Rate = { messages: 2, per: "minute" }
  const freeAtMs = afterStart(rate, { freeAtMs: 0, nowMs: 5 * hourMs }, 1)
  expect(mayStart(rate, { freeAtMs, nowMs: 5 * hourMs })).toBe(0)
  expect(mayStartAtMs(rate, { freeAtMs, nowMs: 5 * hourMs })).toBe(5 * hourMs + minuteMs / 2)
  expect(mayStart(rate, { freeAtMs, nowMs: hourMs })).toBe(1)
})
