/** @jsxImportSource preact */
import { isoTime } from "../../base/clock.ts"
import { dateWriter } from "./dates.ts"

/** A time as people say it: `20 nov. 2026 à 11:54`. */
export function Time({ at, timezone }: { at: number; timezone: string }) {
  return <time datetime={isoTime(at)}>{timeText(at, timezone)}</time>
}

export function timeText(at: number, timezone: string): string {
  return dateWriter(timezone, "short")(at)
}
