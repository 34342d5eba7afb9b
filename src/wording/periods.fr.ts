import { isDayStart } from "../base/clock.ts"
import { frenchDates } from "../base/time.ts"

/** Times of a beginning and an end. Midnight is told as the day that begins, or as the end of the day before. */
export function periodsIn(timeZone: string) {
  const day = frenchDates({ timeZone, dateStyle: "long" })
  const time = frenchDates({ timeZone, dateStyle: "long", timeStyle: "short" })
  const isMidnight = (atMs: number) => isDayStart(timeZone, atMs)
  return {
    from: (atMs: number) => (isMidnight(atMs) ? day(atMs) : time(atMs)),
    until: (atMs: number) => (isMidnight(atMs) ? `${day(atMs - 1)} inclus` : time(atMs)),
    since: (atMs: number) => (isMidnight(atMs) ? `la fin du ${day(atMs - 1)}` : `le ${time(atMs)}`),
  }
}
