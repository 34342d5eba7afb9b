import { expect, test } from "bun:test"
import { parseTime } from "../../src/base/time.ts"

const zone = "Europe/Paris"
const at = (text: string, options = {}, timezone = zone) =>
  new Date(parseTime(text, timezone, options) ?? Number.NaN).toISOString()

test("a time is of the owner's time zone unless it names one", () => {
  for (const text of [
    "2026-11-20T13:00",
    "2026-11-20T13:00:00.000",
    "2026-11-20T12:00Z",
    "2026-11-20T07:00-05:00",
  ])
    expect([text, at(text)]).toEqual([text, "2026-11-20T12:00:00.000Z"])
  expect(at("2026-07-20T13:00:59.5")).toBe("2026-07-20T11:00:59.500Z")
})

test("a day is its start, and as an end its end, also where it has 23 or 25 hours or no midnight", () => {
  for (const [timezone, day, start, end] of [
    [zone, "2026-12-24", "2026-12-23T23:00:00.000Z", "2026-12-24T23:00:00.000Z"],
    [zone, "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    [zone, "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", "2026-09-07T03:00:00.000Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-12-24", "2026-12-23T10:00:00.000Z", "2026-12-24T10:00:00.000Z"],
    ["Pacific/Pago_Pago", "2026-12-24", "2026-12-24T11:00:00.000Z", "2026-12-25T11:00:00.000Z"],
  ] as const)
    expect([timezone, at(day, {}, timezone), at(day, { isEnd: true }, timezone)]).toEqual([
      timezone,
      start,
      end,
    ])
})

test("the end of the year 9999 is told with a year of four digits, and so is read again", () => {
  for (const timezone of [zone, "America/New_York", "Pacific/Kiritimati"])
    for (const text of ["9999-12-31", "9999-12-31T23:59:59", "9999-12-31T23:59-10:00"]) {
      const written = at(text, { isEnd: true }, timezone)
      expect([text, written]).toEqual([text, expect.stringMatching(/^9999-12-31T/)])
      expect(at(written)).toBe(written)
    }
})

test("a day that does not exist is none, nor is what only looks like a time", () => {
  for (const text of [
    "2026-02-30",
    "2026-06-31T10:00Z",
    "2026-11-20T25:00Z",
    "2026-11-20 10:00",
    "20 novembre 2026",
    "",
  ])
    expect(parseTime(text, zone)).toBeUndefined()
})
