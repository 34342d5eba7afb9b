import { dayIn, dayMs, dayStartMs, isoTime, type Span } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { frenchDates, isDay } from "../../base/time.ts"
import { usePage } from "./page-context.ts"
import { words } from "./words.fr.ts"

interface TimeProps {
  at: number
  /** Also the year of today, which everyone knows. */
  withYear?: boolean
}

/** A time of the owner's time zone, such as `20 nov. 2026 à 11:54`. */
export function Time({ at, withYear = false }: TimeProps) {
  const { timezone, nowMs } = usePage()
  return <time datetime={isoTime(at)}>{formatTime(at, timezone, withYear ? undefined : nowMs)}</time>
}

export function useDate(): (at: number) => string {
  const { timezone, nowMs } = usePage()
  return (at) => formatTime(at, timezone, nowMs)
}

export function formatTime(at: number, timezone: string, nowMs?: number): string {
  const hasYear = nowMs === undefined || yearIn(timezone, at) !== yearIn(timezone, nowMs)
  const key = `${timezone} ${hasYear}`
  let format = shortFormats.get(key)
  if (!format) {
    format = dateFormatter(timezone, "short", hasYear)
    shortFormats.set(key, format)
  }
  return format(at)
}

function yearIn(timezone: string, at: number): string {
  return dayIn(timezone, at).slice(0, 4)
}

/** By time zone, with and without the year. Making one takes longer than a row of a table. */
const shortFormats = new Map<string, (at: number) => string>()

/** Formats times, in ms or ISO, in the owner's time zone: `20 nov. 2026 à 12:13:05`; `short`: without seconds. */
export function dateFormatter(
  timeZone: string,
  timeStyle: "medium" | "short" = "medium",
  hasYear = true,
): (at: number | string) => string {
  const date = frenchDates({ timeZone, day: "numeric", month: "short", ...(hasYear && { year: "numeric" }) })
  const hour = new Intl.DateTimeFormat("fr", { timeZone, timeStyle })
  return (at) => {
    const atMs = typeof at === "string" ? Date.parse(at) : at
    return `${date(atMs)} à\u00a0${hour.format(atMs)}`
  }
}

/** The day of a field named `since`. Throws Refusal `invalid_request` for any other text. */
export function requireDay(since: string): string {
  if (isDay(since)) return since
  throw new Refusal("invalid_request", words.sinceWrong, { fields: { since: words.sinceWrong } })
}

/** The last `count` days of the owner's time zone up to today, oldest first, with their labels: `20 nov.` */
export function lastDays(timezone: string, nowMs: number, count: number): (Span & { label: string })[] {
  const label = frenchDates({ timeZone: timezone, day: "numeric", month: "short" })
  const days: (Span & { label: string })[] = []
  let startMs = dayStartMs(timezone, dayIn(timezone, nowMs))
  let endMs = Number.MAX_SAFE_INTEGER
  for (;;) {
    days.unshift({ startMs, endMs, label: label(startMs) })
    if (days.length >= count) return days
    const day = dayIn(timezone, startMs - 1)
    const usualMs = startMs - dayMs
    // The day of a change of clocks is an hour shorter or longer.
    const isUsual = dayIn(timezone, usualMs) === day && dayIn(timezone, usualMs - 1) !== day
    endMs = startMs
    startMs = isUsual ? usualMs : dayStartMs(timezone, day)
  }
}
