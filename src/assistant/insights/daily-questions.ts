import { sql } from "kysely"
import type { Span } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { eachObject, eachOf } from "../../db/words.ts"

export interface DayOfQuestions {
  asked: number
  answered: number
}

/**
 * Questions of each project on each of these days, by project id. Greetings are no questions. Each day is a part of
 * one index, which holds all that is counted; no answer is read.
 */
export async function questionsByDay(
  db: Db,
  projectIds: readonly string[],
  days: readonly Span[],
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
  const counts = sql<string>`(
    SELECT count(*) || ' ' || count(*) FILTER (WHERE status = 'answered') FROM answer
    WHERE project_id = project.id AND id >= from_id AND id < to_id AND courtesy IS NULL)`.as("counts")
  const rows = await db
    .selectFrom("project")
    .innerJoin(span, (join) => join.onTrue())
    .select(["project.id", "day", counts])
    .where("project.id", "in", eachOf(db, JSON.stringify(projectIds)))
    .execute()
  const found = new Map<string, DayOfQuestions[]>()
  for (const { id, day, counts } of rows) {
    const own = found.get(id) ?? days.map(() => ({ asked: 0, answered: 0 }))
    const [asked = 0, answered = 0] = counts.split(" ").map(Number)
    own[day] = { asked, answered }
    found.set(id, own)
  }
  return found
}

/** Whether anybody has asked a question of the project. */
export async function hasQuestions(db: Db, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom("answer")
    .select("id")
    .where("project_id", "=", projectId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
