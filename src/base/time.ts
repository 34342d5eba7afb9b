import { dayEndMs, dayStartMs, localInstant } from "./clock.ts"

/** The last time of four digits for its year, as every reader of times wants them. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Parses an ISO 8601 day or time, of `timezone` unless it names a zone. Milliseconds since 1970, or undefined. A day
 * stands for its start, and as an end for its end. The last day of the year 9999, which often means never, ends within
 * that year in UTC.
 */
export function parseTime(text: string, timezone: string, { isEnd = false } = {}): number | undefined {
  const [, day = "", time, zone] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  if (!isDay(day)) return undefined
  if (!time && !zone) return isEnd ? Math.min(dayEndMs(timezone, day), lastMs) : dayStartMs(timezone, day)
  const timeMs = zone ? Date.parse(text) : (localInstant(timezone, text) ?? Number.NaN)
  return Number.isNaN(timeMs) ? undefined : Math.min(timeMs, lastMs)
}

/** Whether a text is an existing day. `Date.parse` alone reads the 30th of February as a day of March. */
export function isDay(text: string): boolean {
  const dayMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(text)
}

/** Formats dates as Intl does, except the first of a month, which is an ordinal in French: `1er novembre`. */
export function frenchDates(format: Intl.DateTimeFormatOptions): (atMs: number) => string {
  const dates = new Intl.DateTimeFormat("fr", format)
  return (atMs) => dates.format(atMs).replace(/^1 /, "1er ")
}
