/** @jsxImportSource preact */
import { isoTime } from "../clock.ts"

/** A time as people say it: `20 nov. 2026, 11:54`. */
export function Time({ at, timezone }: { at: number; timezone: string }) {
  return <time datetime={isoTime(at)}>{timeText(at, timezone)}</time>
}

export function timeText(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("fr", { dateStyle: "medium", timeStyle: "short", timeZone }).format(at)
}
