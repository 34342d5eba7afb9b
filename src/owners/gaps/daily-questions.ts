import { sql } from "kysely"
import { minuteMs, type Span } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { Portion } from "../../db/portions.ts"
import { eachObject } from "../../db/words.ts"
import { answerPortions, answersIn } from "./asked-questions.ts"

export interface DayOfQuestions {
  asked: number
  answered: number
  /** Feedback of visitors. */
  useful: number
  useless: number
  /** Questions whose visitor opened a page beside the answer. */
  opened: number
}

export const noQuestions: DayOfQuestions = { asked: 0, answered: 0, useful: 0, useless: 0, opened: 0 }

export function sumOfQuestions(days: readonly DayOfQuestions[]): DayOfQuestions {
  return days.reduce(
    (sum, day) => ({
      asked: sum.asked + day.asked,
      answered: sum.answered + day.answered,
      useful: sum.useful + day.useful,
      useless: sum.useless + day.useless,
      opened: sum.opened + day.opened,
    }),
    noQuestions,
  )
}

/**
 * Questions of each project on each of these days, by project id. Greetings are no questions. An index holds all that
 * is counted, and is read in portions; no answer is read.
 */
export async function questionsByDay(
  db: Db,
  projectIds: readonly string[],
  days: readonly Span[],
  page?: string,
): Promise<Map<string, DayOfQuestions[]>> {
  const spans = days.map(({ startMs, endMs }, day) => ({
    day,
    fromId: firstIdAt("ans", startMs),
    toId: firstIdAt("ans", endMs),
  }))
  const sinceMs = Math.min(...days.map(({ startMs }) => startMs))
  const byProject = new Map<string, DayOfQuestions[]>()
  for (const id of new Set(projectIds)) {
    const own = days.map(() => noQuestions)
    for await (const portion of answerPortions(db, id, sinceMs)) {
      const { after = "ans_g", last = "" } = portion
      const met = spans.filter(({ fromId, toId }) => fromId < after && toId > last)
      for (const { day, counts } of await countInDays(db, id, sinceMs, { portion, spans: met, page })) {
        const [asked = 0, answered = 0, useful = 0, useless = 0, opened = 0] = counts.split(" ").map(Number)
        const more = { asked, answered, useful, useless, opened }
        own[day] = sumOfQuestions([own[day] ?? noQuestions, more])
      }
    }
    byProject.set(id, own)
  }
  return byProject
}

interface InDays {
  portion: Portion
  spans: readonly { day: number; fromId: string; toId: string }[]
  page: string | undefined
}

async function countInDays(db: Db, projectId: string, sinceMs: number, { portion, spans, page }: InDays) {
  const { after = "ans_g", last = firstIdAt("ans", sinceMs) } = portion
  const bounded = spans.map(({ day, fromId, toId }) => ({
    day,
    fromId: fromId > last ? fromId : last,
    toId: toId < after ? toId : after,
  }))
  const onPage = page === undefined ? sql`` : sql`AND page = ${page}`
  const span = sql<{ day: number; from_id: string; to_id: string }>`(
    SELECT CAST(value ->> 'day' AS bigint) AS day, value ->> 'fromId' AS from_id, value ->> 'toId' AS to_id
    FROM ${eachObject(db, JSON.stringify(bounded))})`.as("span")
  const counts = sql<string>`(
    SELECT count(*) || ' ' || count(*) FILTER (WHERE status = 'answered')
      || ' ' || count(*) FILTER (WHERE useful = 1) || ' ' || count(*) FILTER (WHERE useful = 0)
      || ' ' || count(*) FILTER (WHERE opened IS NOT NULL)
    FROM answer
    WHERE project_id = ${projectId} AND id >= from_id AND id < to_id AND courtesy IS NULL ${onPage})`
  return db
    .selectFrom(span)
    .select(["day", counts.as("counts")])
    .execute()
}

/** Questions of each project since `sinceMs`, by project id, each counted in one part of the index. */
export async function questionsSince(
  db: Db,
  projectIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, DayOfQuestions>> {
  const span = { startMs: sinceMs, endMs: Number.MAX_SAFE_INTEGER }
  const byProject = await questionsByDay(db, projectIds, [span])
  return new Map([...byProject].map(([id, [sum = noQuestions]]) => [id, sum]))
}

const quarterMs = 15 * minuteMs

/**
 * Questions by quarters of an hour, because the days of every time zone consist of whole quarters; `at` is the start of
 * one. Leaves out greetings, thanks and trials, and quarters without a question.
 */
export async function countAskedQuestions(db: Db, projectId: string, sinceMs: number) {
  const quarters = new Map<number, DayOfQuestions>()
  for await (const portion of answerPortions(db, projectId, sinceMs)) {
    const rows = await answersIn(db, projectId, sinceMs, portion)
      .select((row) => [
        row("created_at", "/", quarterMs).as("quarter"),
        row.fn.countAll<number>().as("asked"),
        row.fn.count<number>("id").filterWhere("status", "=", "answered").as("answered"),
        row.fn.count<number>("id").filterWhere("useful", "=", 1).as("useful"),
        row.fn.count<number>("id").filterWhere("useful", "=", 0).as("useless"),
        row.fn.count<number>("id").filterWhere("opened", "is not", null).as("opened"),
      ])
      .where("courtesy", "is", null)
      .groupBy("quarter")
      .execute()
    for (const { quarter, ...counts } of rows) {
      const at = Number(quarter) * quarterMs
      quarters.set(at, sumOfQuestions([quarters.get(at) ?? noQuestions, counts]))
    }
  }
  return [...quarters].map(([at, counts]) => ({ at, ...counts })).sort((one, other) => one.at - other.at)
}

/** Whether a visitor has asked a question of the project that is still kept. */
export async function hasQuestions(db: Db, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom("answer")
    .select("id")
    .where("project_id", "=", projectId)
    .where("courtesy", "is", null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
