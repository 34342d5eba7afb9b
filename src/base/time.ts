/**
 * A day or a time of ISO 8601 as milliseconds since 1970; without a zone it is UTC. Undefined for anything
 * else.
 */
export function timeOf(text: string): number | undefined {
  const [, day = "", time = "", zone] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  const timeMs = isDay(day) ? Date.parse(time && !zone ? `${text}Z` : text) : Number.NaN
  return Number.isNaN(timeMs) ? undefined : timeMs
}

/** A day that exists: `Date.parse` takes the 30th of February for a day of March. */
export function isDay(text: string): boolean {
  const dayMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(text)
}
