import { type DayOfQuestions, noQuestions } from "../../owners/gaps/daily-questions.ts"
import { words } from "./words.fr.ts"

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

/** A period a day, days without questions too. More than `maxDailyPoints` days are grouped into weeks. */
export function toPeriods(days: readonly { label: string }[], counts: readonly DayOfQuestions[]): Period[] {
  const all = days.map(({ label }, place) => {
    const { asked, answered } = counts[place] ?? noQuestions
    return { label, from: label, to: label, asked, answered }
  })
  return all.length > maxDailyPoints ? weeks(all) : all
}

function weeks(days: Period[]): Period[] {
  const periods: Period[] = []
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(end - 7, 0), end)
    const [{ from }, { to }] = [week[0] as Period, week.at(-1) as Period]
    periods.unshift({
      label: words.weekOf(from),
      from,
      to,
      asked: week.reduce((sum, { asked }) => sum + asked, 0),
      answered: week.reduce((sum, { answered }) => sum + answered, 0),
    })
  }
  return periods
}
