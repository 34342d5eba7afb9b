import { sql } from "kysely"
import type { Span } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { eachObject, eachOf } from "../../db/words.ts"

/** By project id. Those of a project without a form are left out. */
export async function responsesByDay(
  db: Db,
  projectIds: readonly string[],
  days: readonly Span[],
): Promise<Map<string, number[]>> {
  if (projectIds.length === 0) return new Map()
  const spans = days.map(({ startMs, endMs }, day) => ({
    day,
    fromId: firstIdAt("resp", startMs),
    toId: firstIdAt("resp", endMs),
  }))
  const span = sql<{ day: number; from_id: string; to_id: string }>`(
    SELECT CAST(value ->> 'day' AS bigint) AS day, value ->> 'fromId' AS from_id, value ->> 'toId' AS to_id
    FROM ${eachObject(db, JSON.stringify(spans))})`.as("span")
  const count = sql<number>`(
    SELECT count(*) FROM form_response
    WHERE form_id = form.id AND state = 'received' AND id >= from_id AND id < to_id)`.as("count")
  const rows = await db
    .selectFrom("form")
    .innerJoin(span, (join) => join.onTrue())
    .select(["project_id", "day", count])
    .where("project_id", "in", eachOf(db, JSON.stringify(projectIds)))
    .where("removed_at", "is", null)
    .execute()
  const countsByProject = new Map<string, number[]>()
  for (const { project_id, day, count } of rows) {
    const own = countsByProject.get(project_id) ?? days.map(() => 0)
    own[day] = (own[day] as number) + count
    countsByProject.set(project_id, own)
  }
  return countsByProject
}
