import { LRUCache } from "lru-cache"
import { maxProjects } from "../../accounts/project.ts"
import { minuteMs, type Span } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { responsesByDay } from "../../forms/responses/daily-responses.ts"
import { countUnread } from "../../forms/responses/unread.ts"
import {
  type DayOfQuestions,
  noQuestions,
  questionsByDay,
  sumOfQuestions,
} from "../../owners/gaps/daily-questions.ts"
import { type HourSums, noSums, sumsByDay } from "../../webhooks/endpoints/hour-sums.ts"
import { sum } from "../kit/chart.tsx"
import { lastDays } from "../kit/dates.tsx"

/** Days of every figure of a home, unless others are chosen. */
export const shownDays = 30
/** The periods that can be chosen. Each is shown with as many days before. */
export const periods = [7, shownDays] as const

/** Projects whose days are remembered: twice as many as a workspace may have. */
const maxRemembered = 2 * maxProjects
/** Past days hardly change: only when a held response is accepted, or one is erased. */
const rememberedMs = 10 * minuteMs

/** Questions of each project on each of these days, of which the last is today, by project id. */
export type CountQuestions = CountDays<DayOfQuestions>

export type ReadFigures = ReturnType<typeof openFigures>["readFigures"]
/** Figures of some projects, day by day, the oldest first. */
export type Figures = Awaited<ReturnType<ReadFigures>>

/** Counting a month of a busy site takes longer than the rest of the page, so past days are remembered. */
export function openFigures(db: Db, timezone: string) {
  const countQuestions = remembering((ids, days) => questionsByDay(db, ids, days), noQuestions)
  const countResponses = remembering((ids, days) => responsesByDay(db, ids, days), 0)

  /** Figures of the last days, with sums of as many before. Counts only deliveries to these endpoints. */
  async function readFigures(
    projectIds: readonly string[],
    endpointIds: readonly string[],
    nowMs: number,
    length: number = shownDays,
  ) {
    const days = lastDays(timezone, nowMs, 2 * length)
    const startsMs = days.map(({ startMs }) => startMs)
    const [questions, received, deliveries, unread] = await Promise.all([
      countQuestions(projectIds, days),
      countResponses(projectIds, days),
      sumsByDay(db, endpointIds, startsMs),
      countUnread(db, projectIds),
    ])
    const byDay = <Count, Sum>(counts: Map<string, Count[]>, sumOf: (counts: Count[]) => Sum) =>
      days.map((_, day) =>
        sumOf([...counts.values()].map((own) => own[day]).filter((count) => count !== undefined)),
      )
    const ofProject = projectIds.map((id) => {
      const { asked, answered } = sumOfQuestions((questions.get(id) ?? []).slice(length))
      const ofMessages = {
        received: sum((received.get(id) ?? []).slice(length)),
        unread: unread.get(id) ?? 0,
      }
      return [id, { asked, answered, ...ofMessages }] as const
    })
    const all = {
      questions: byDay(questions, sumOfQuestions),
      received: byDay(received, sum),
      deliveries: byDay(deliveries, (own) => own.reduce(added, noSums)),
    }
    return {
      days: length,
      /** `20 nov.` */
      labels: days.slice(length).map(({ label }) => label),
      questions: all.questions.slice(length),
      received: all.received.slice(length),
      deliveries: all.deliveries.slice(length),
      before: {
        questions: sumOfQuestions(all.questions.slice(0, length)),
        received: sum(all.received.slice(0, length)),
        deliveries: all.deliveries.slice(0, length).reduce(added, noSums),
      },
      unread: sum([...unread.values()]),
      ofProject: new Map(ofProject),
    }
  }
  return { readFigures, countQuestions }
}

type CountDays<Count> = (
  projectIds: readonly string[],
  days: readonly Span[],
) => Promise<Map<string, Count[]>>

export function periodIn({ days }: Record<string, string | undefined>): number {
  return periods.find((each) => String(each) === days) ?? shownDays
}

/** Counts the days that are not remembered of every project, and today. */
function remembering<Count extends number | object>(
  count: CountDays<Count>,
  nothing: Count,
): CountDays<Count> {
  const remembered = new LRUCache<string, Map<number, Count>>({ max: maxRemembered, ttl: rememberedMs })
  return async (projectIds, days) => {
    const today = days.at(-1)
    const countsById = new Map(projectIds.map((id) => [id, remembered.get(id) ?? new Map<number, Count>()]))
    const missing = days.filter(
      (day) => day === today || countsById.values().some((own) => !own.has(day.startMs)),
    )
    const counted = await count(projectIds, missing)
    const counts = new Map<string, Count[]>()
    for (const [id, own] of countsById) {
      const fresh = counted.get(id)
      for (const [place, { startMs }] of missing.entries()) own.set(startMs, fresh?.[place] ?? nothing)
      counts.set(
        id,
        days.map(({ startMs }) => own.get(startMs) ?? nothing),
      )
      if (today) own.delete(today.startMs)
      if (!remembered.has(id)) remembered.set(id, own)
    }
    return counts
  }
}

function added(one: HourSums, other: HourSums): HourSums {
  return {
    delivered: one.delivered + other.delivered,
    failedAttempts: one.failedAttempts + other.failedAttempts,
    givenUp: one.givenUp + other.givenUp,
  }
}
