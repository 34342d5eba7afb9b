import { sql } from "kysely"
import type { Span } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { eachObject, eachOf } from "../../db/words.ts"

export interface DayOfQuestions {
  asked: number
  answered: number
  /** Feedback of visitors. */
  useful: number
  useless: number
}

export const noQuestions: DayOfQuestions = { asked: 0, answered: 0, useful: 0, useless: 0 }

export function sumOfQuestions(days: readonly DayOfQuestions[]): DayOfQuestions {
  return days.reduce(
    (sum, day) => ({
      asked: sum.asked + day.asked,
      answered: sum.answered + day.answered,
      useful: sum.useful + day.useful,
      useless: sum.useless + day.useless,
    }),
    noQuestions,
  )
}

/**
 * Questions of each project on each of these days, by project id. Greetings are no questions. Each day is a part of
 * one index, which holds all that is counted; no answer is read, unless only those asked on `page` count.
 */
export async function questionsByDay(
  db: Db,
  projectIds: readonly string[],
  days: readonly Span[],
  page?: string,
): Promise<Map<string, DayOfQuestions[]>> {
  if (projectIds.length === 0) return new Map()
  const spans = days.map(({ startMs, endMs }, day) => ({
    day,
    fromId: firstIdAt("ans", startMs),
    toId: firstIdAt("ans", endMs),
  }))
  const span = sql<{ day: number; from_id: string; to_id: string }>`(
    SELECT CAST(value ->> 'day' AS bigint) AS day, value ->> 'fromId' AS from_id, value ->> 'toId' AS to_id
    FROM ${eachObject(db, JSON.stringify(spans))})`.as("span")
  const onPage = page === undefined ? sql`` : sql`AND page = ${page}`
  const counts = sql<string>`(
    SELECT count(*) || ' ' || count(*) FILTER (WHERE status = 'answered')
      || ' ' || count(*) FILTER (WHERE useful = 1) || ' ' || count(*) FILTER (WHERE useful = 0)
    FROM answer
    WHERE project_id = project.id AND id >= from_id AND id < to_id AND courtesy IS NULL ${onPage})`.as(
    "counts",
  )
  const rows = await db
    .selectFrom("project")
    .innerJoin(span, (join) => join.onTrue())
    .select(["project.id", "day", counts])
    .where("project.id", "in", eachOf(db, JSON.stringify(projectIds)))
    .execute()
  const found = new Map<string, DayOfQuestions[]>()
  for (const { id, day, counts } of rows) {
    const own = found.get(id) ?? days.map(() => noQuestions)
    const [asked = 0, answered = 0, useful = 0, useless = 0] = counts.split(" ").map(Number)
    own[day] = { asked, answered, useful, useless }
    found.set(id, own)
  }
  return found
}

/** Questions of each project since `sinceMs`, by project id, each counted in one part of the index. */
export async function questionsSince(
  db: Db,
  projectIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, DayOfQuestions>> {
  const span = { startMs: sinceMs, endMs: Number.MAX_SAFE_INTEGER }
  const found = await questionsByDay(db, projectIds, [span])
  return new Map([...found].map(([id, [sum = noQuestions]]) => [id, sum]))
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
