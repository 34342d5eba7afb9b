import type { AskedCount } from "../assistant/answers/asked.ts"
import { dayIn, dayMs } from "../clock.ts"
import { sentences } from "./sentences/questions.ts"

/** A day, or a week of a longer time, with what was asked in it. */
export interface Period {
  label: string
  asked: number
  answered: number
}

/** More points than this are too close together to be read. */
const mostDays = 31

/** Every day from `sinceMs` to now in the owner's time zone, those without a question too; weeks when there are many. */
export function periodsOf(
  counts: readonly AskedCount[],
  { sinceMs, nowMs, timezone }: { sinceMs: number; nowMs: number; timezone: string },
): Period[] {
  const days = new Map<string, { asked: number; answered: number }>()
  for (let at = sinceMs; at <= nowMs; at += dayMs / 2)
    days.set(dayIn(timezone, at), { asked: 0, answered: 0 })
  days.set(dayIn(timezone, nowMs), { asked: 0, answered: 0 })
  for (const { at, asked, answered } of counts) {
    const day = days.get(dayIn(timezone, at))
    if (!day) continue
    day.asked += asked
    day.answered += answered
  }
  const all = [...days].map(([day, count]) => ({ label: dayLabel(day), ...count }))
  return all.length > mostDays ? weeks(all) : all
}

function weeks(days: Period[]): Period[] {
  const found: Period[] = []
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(end - 7, 0), end)
    found.unshift({
      label: sentences.weekOf((week[0] as Period).label),
      asked: week.reduce((sum, { asked }) => sum + asked, 0),
      answered: week.reduce((sum, { answered }) => sum + answered, 0),
    })
  }
  return found
}

/** `20 nov.` of `2026-11-20`. */
function dayLabel(day: string): string {
  return new Intl.DateTimeFormat("fr", { day: "numeric", month: "short", timeZone: "UTC" })
    .format(Date.parse(day))
    .replace(/^1 /, "1er ")
}
