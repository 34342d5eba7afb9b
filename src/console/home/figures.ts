import { LRUCache } from "lru-cache"
import {
  type DayOfQuestions,
  noQuestions,
  questionsByDay,
  sumOfQuestions,
} from "../../assistant/insights/daily-questions.ts"
import { minuteMs, type Span } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { responsesByDay } from "../../forms/responses/daily-responses.ts"
import { countUnread } from "../../forms/responses/unread.ts"
import { type HourSums, noSums, sumsByDay } from "../../webhooks/endpoints/hour-sums.ts"
import { lastDays } from "../kit/dates.tsx"

/** Days of every figure of a home. */
export const shownDays = 30

/** Figures of some projects, day by day, the oldest first. */
export interface Figures {
  /** `20 nov.` */
  labels: string[]
  questions: DayOfQuestions[]
  received: number[]
  deliveries: HourSums[]
  unread: number
  /** The sums of each project. */
  ofProject: Map<string, { asked: number; answered: number; received: number; unread: number }>
}

/** Days of all projects that are remembered: a day of each of 500 projects for a month, twice. */
const maxRemembered = 2 * 500 * shownDays
/** Past days hardly change: only when a held response is accepted, or one is erased. */
const rememberedMs = 10 * minuteMs

/** Questions of each project on each of these days, of which the last is today, by project id. */
export type QuestionsOf = CountDays<DayOfQuestions>

export type ReadFigures = (
  projectIds: readonly string[],
  /** The endpoints whose deliveries count. */
  endpointIds: readonly string[],
  nowMs: number,
) => Promise<Figures>

/** Counting a month of a busy site takes longer than the rest of the page, so past days are remembered. */
export function openFigures(
  db: Db,
  timezone: string,
): { readFigures: ReadFigures; questionsOf: QuestionsOf } {
  const questionsOf = remembering((ids, days) => questionsByDay(db, ids, days), noQuestions)
  const responsesOf = remembering((ids, days) => responsesByDay(db, ids, days), 0)

  const readFigures: ReadFigures = async (projectIds, endpointIds, nowMs) => {
    const days = lastDays(timezone, nowMs, shownDays)
    const startsMs = days.map(({ startMs }) => startMs)
    const [questions, received, deliveries, unread] = await Promise.all([
      questionsOf(projectIds, days),
      responsesOf(projectIds, days),
      sumsByDay(db, endpointIds, startsMs),
      countUnread(db, projectIds),
    ])
    return summed({ projectIds, days, questions, received, deliveries, unread })
  }
  return { readFigures, questionsOf }
}

type CountDays<Count> = (
  projectIds: readonly string[],
  days: readonly Span[],
) => Promise<Map<string, Count[]>>

/** Counts the days that are not remembered of every project, and today. */
function remembering<Count extends number | object>(
  count: CountDays<Count>,
  nothing: Count,
): CountDays<Count> {
  const remembered = new LRUCache<string, Count>({ max: maxRemembered, ttl: rememberedMs })
  return async (projectIds, days) => {
    const keyOf = (id: string, { startMs }: Span) => `${id} ${startMs}`
    const today = days.at(-1)
    const known = new Map<string, Count>()
    const missing = days.filter((day) => {
      const counts = projectIds.map((id) => [keyOf(id, day), remembered.get(keyOf(id, day))] as const)
      for (const [key, found] of counts) if (found !== undefined) known.set(key, found)
      return day === today || counts.some(([, found]) => found === undefined)
    })
    const counted = await count(projectIds, missing)
    for (const id of projectIds)
      for (const [place, day] of missing.entries()) {
        const found = counted.get(id)?.[place] ?? nothing
        known.set(keyOf(id, day), found)
        if (day !== today) remembered.set(keyOf(id, day), found)
      }
    return new Map(
      projectIds.map((id) => [id, days.map((day) => known.get(keyOf(id, day)) ?? nothing)] as const),
    )
  }
}

interface Counted {
  projectIds: readonly string[]
  days: readonly (Span & { label: string })[]
  questions: Map<string, DayOfQuestions[]>
  received: Map<string, number[]>
  deliveries: Map<string, HourSums[]>
  unread: Map<string, number>
}

function summed({ projectIds, days, questions, received, deliveries, unread }: Counted): Figures {
  return {
    labels: days.map(({ label }) => label),
    questions: days.map((_, day) =>
      sumOfQuestions([...questions.values()].map((own) => own[day] ?? noQuestions)),
    ),
    received: days.map((_, day) => total([...received.values()].map((own) => own[day] ?? 0))),
    deliveries: days.map((_, day) =>
      [...deliveries.values()].map((own) => own[day] ?? noSums).reduce(added, noSums),
    ),
    unread: total([...unread.values()]),
    ofProject: new Map(
      projectIds.map((id) => [
        id,
        {
          asked: total((questions.get(id) ?? []).map(({ asked }) => asked)),
          answered: total((questions.get(id) ?? []).map(({ answered }) => answered)),
          received: total(received.get(id) ?? []),
          unread: unread.get(id) ?? 0,
        },
      ]),
    ),
  }
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function added(one: HourSums, other: HourSums): HourSums {
  return {
    delivered: one.delivered + other.delivered,
    failedAttempts: one.failedAttempts + other.failedAttempts,
    givenUp: one.givenUp + other.givenUp,
  }
}
