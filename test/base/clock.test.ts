import { describe, expect, test } from "bun:test"
import { dayIn, hourMs, monthIn, untilNextDayMs, untilNextMonthMs } from "../../src/base/clock.ts"

const paris = "Europe/Paris"
const at = (text: string) => Date.parse(text)

describe("days and months of the owner's time zone", () => {
  test("begin at local midnight", () => {
    expect(dayIn(paris, at("2026-07-14T21:59:59Z"))).toBe("2026-07-14")
    expect(dayIn(paris, at("2026-07-14T22:00:00Z"))).toBe("2026-07-15")
    expect(monthIn(paris, at("2026-12-31T23:00:00Z"))).toBe("2027-01")
  })

  test("a day lasts 23 or 25 hours when the clocks change", () => {
    expect(untilNextDayMs(paris, at("2026-03-28T23:00:00Z"))).toBe(23 * hourMs)
    expect(untilNextDayMs(paris, at("2026-10-24T22:00:00Z"))).toBe(25 * hourMs)
  })

  test("the next month begins at its first local midnight", () => {
    expect(at("2026-11-20T10:00:00Z") + untilNextMonthMs(paris, at("2026-11-20T10:00:00Z"))).toBe(
      at("2026-11-30T23:00:00Z"),
    )
  })
})
