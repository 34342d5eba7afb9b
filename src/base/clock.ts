/** The source of every date in the program, which a test can move. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

/** From `startMs` on, and before `endMs`. */
export interface Span {
  startMs: number
  endMs: number
}

export const systemClock: Clock = { now: Date.now }

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** ISO 8601 in UTC with milliseconds, as the specification writes times. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** Calendar day (`2026-11-20`) in the owner's time zone, which is "today" for a limit. */
export function dayIn(timezone: string, atMs: number): string {
  return formatIn(dayFormats, timezone, {}).format(atMs).padStart("2026-11-20".length, "0")
}

/** Day and time (`2026-11-20T09:30`) in the owner's time zone, as a field of HTML holds them. */
export function localTime(timezone: string, atMs: number): string {
  const text = localFormat(timezone).format(atMs).padStart("2026-11-20 09:30".length, "0")
  return text.replace(" ", "T")
}

/** Undefined for another text. Where the clocks skip an hour, within an hour of the change. */
export function localInstant(timezone: string, text: string): number | undefined {
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/.test(text)
  const asUtcMs = isLocal ? Date.parse(`${text}Z`) : Number.NaN
  let atMs = asUtcMs
  // The offset is that of the instant itself, which the first guess may miss near a change of the clocks.
  for (let guess = 0; guess < 2 && !Number.isNaN(atMs); guess++) {
    const minuteAtMs = Math.floor(atMs / minuteMs) * minuteMs
    // The first hours of the year 10000 have a form of their own.
    const local = localTime(timezone, minuteAtMs).replace(/^\d{5}/, "+0$&")
    atMs = asUtcMs - (Date.parse(`${local}Z`) - minuteAtMs)
  }
  return Number.isNaN(atMs) ? undefined : atMs
}

/** When a local day (`2026-11-20`) begins, also where the clocks skip its midnight. */
export function dayStartMs(timezone: string, day: string): number {
  // Local days begin between 14 hours before the day in UTC and 12 hours after.
  const fromMs = Date.parse(day) - 15 * hourMs
  return firstInstantAfter(fromMs, 28 * hourMs, (at) => String(dayIn(timezone, at) >= day))
}

export function dayEndMs(timezone: string, day: string): number {
  // A day and a half later it is the next day, also where the clocks change.
  return dayStartMs(timezone, dayIn(timezone, dayStartMs(timezone, day) + 1.5 * dayMs))
}

export function isDayStart(timezone: string, atMs: number): boolean {
  return dayIn(timezone, atMs) !== dayIn(timezone, atMs - 1)
}

/** Calendar month (`2026-11`) in the owner's time zone, which is "this month" for a quota. */
export function monthIn(timezone: string, atMs: number): string {
  return dayIn(timezone, atMs).slice(0, 7)
}

export function monthStartMs(timezone: string, atMs: number): number {
  const dayOfMonth = Number(dayIn(timezone, atMs).slice(8))
  // Days of 25 hours are made up for, so that the search begins within the last day of the month before.
  const lastMonthMs = atMs - dayOfMonth * dayMs - 2 * hourMs
  return firstInstantAfter(lastMonthMs, 32 * dayMs, (at) => monthIn(timezone, at))
}

/** Milliseconds until the next local day begins. A local day may last 23 to 25 hours. */
export function untilNextDayMs(timezone: string, atMs: number): number {
  return firstInstantAfter(atMs, 26 * hourMs, (at) => dayIn(timezone, at)) - atMs
}

export function untilNextMonthMs(timezone: string, atMs: number): number {
  return firstInstantAfter(atMs, 32 * dayMs, (at) => monthIn(timezone, at)) - atMs
}

/** Bisects the time at which the label changes, because a zone's offset may change in between. */
function firstInstantAfter(fromMs: number, withinMs: number, label: (atMs: number) => string): number {
  const before = label(fromMs)
  let low = fromMs
  let high = fromMs + withinMs
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (label(middle) === before) low = middle
    else high = middle
  }
  return high
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()
const localFormats = new Map<string, Intl.DateTimeFormat>()

function localFormat(timezone: string): Intl.DateTimeFormat {
  return formatIn(localFormats, timezone, { timeStyle: "short" })
}

function formatIn(
  formats: Map<string, Intl.DateTimeFormat>,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    // Swedish dates have the form of ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", ...options })
    formats.set(timeZone, format)
  }
  return format
}
