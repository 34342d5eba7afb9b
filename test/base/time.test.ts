import { expect, test } from "bun:test"
import { parseTime } from "../../src/base/time.ts"

test("a day, or a time of it, is UTC unless it says otherwise", () => {
  const noonMs = Date.UTC(2026, 10, 20, 12)
  for (const text of ["2026-11-20T12:00", "2026-11-20T12:00:00.000Z", "2026-11-20T13:00+01:00"])
    expect(parseTime(text)).toBe(noonMs)
  expect(parseTime("2026-11-20")).toBe(Date.UTC(2026, 10, 20))
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
    expect(parseTime(text)).toBeUndefined()
})
