import type { QuestionCounts } from "../../assistant/insights/asked-questions.ts"
import { dayIn, dayMs } from "../../base/clock.ts"
import { frenchDates } from "../../base/time.ts"
import { messages } from "../messages/questions.fr.ts"

/** The number of questions in one day, or in one week of a longer range. */
export interface Period {
  label: string
  /** First and last day, such as `20 nov.`; equal when the period is a single day. */
  from: string
  to: string
  asked: number
  answered: number
}

/** A chart with more points becomes unreadable, so a longer range is grouped by week. */
const maxDailyPoints = 31

/**
 * Every day from `sinceMs` to `nowMs` in the owner's time zone, including days without questions. More than
 * `maxDailyPoints` days are grouped into weeks.
 */
export function periodsOf(
  counts: readonly QuestionCounts[],
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
  const all = [...days].map(([day, count]) => {
    const label = dayLabel(Date.parse(day))
    return { label, from: label, to: label, ...count }
  })
  return all.length > maxDailyPoints ? weeks(all) : all
}

function weeks(days: Period[]): Period[] {
  const found: Period[] = []
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(end - 7, 0), end)
    const [{ from }, { to }] = [week[0] as Period, week.at(-1) as Period]
    found.unshift({
      label: messages.weekOf(from),
      from,
      to,
      asked: week.reduce((sum, { asked }) => sum + asked, 0),
      answered: week.reduce((sum, { answered }) => sum + answered, 0),
    })
  }
  return found
}

/** Formats a time at midnight UTC as `20 nov.`. */
const dayLabel = frenchDates({ day: "numeric", month: "short", timeZone: "UTC" })
