import { sql } from "kysely"
import { firstIdAt } from "../../base/ids.ts"
import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { eachOf, unindexed } from "../../db/words.ts"

/** A question that the documentation does not answer. */
export interface Gap {
  id: string
  projectId: string
  question: string
  askedAt: number
}

/** Of the newest, those that are read to find different ones: one visitor may ask the same many times. */
const lookedThrough = 50

/** Somebody who looks at many projects need not know more exactly. */
export const mostGapsCounted = 100

/**
 * How many questions of each project the documentation did not answer since `sinceMs`, without those that the
 * owner has treated or called off topic; counted up to `mostGapsCounted`. Each project is a part of one index, of
 * which the rows without an answer are read.
 */
export async function countGaps(
  db: Db,
  projectIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map()
  const gaps = sql`
    SELECT 1 FROM answer
    WHERE project_id = project.id AND id >= ${firstIdAt("ans", sinceMs)} AND status = 'no_answer'
      AND courtesy IS NULL AND gap IS NULL
    LIMIT ${sql.lit(mostGapsCounted)}`
  const rows = await db
    .selectFrom("project")
    .select(["id", sql<number>`(SELECT count(*) FROM (${gaps}) AS gaps)`.as("count")])
    .where("id", "in", eachOf(db, JSON.stringify(projectIds)))
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/**
 * The newest different questions of these projects that the documentation did not answer since `sinceMs`, without
 * those that the owner has treated or called off topic.
 */
export async function newestGaps(
  db: Db,
  projectIds: readonly string[],
  sinceMs: number,
  atMost: number,
): Promise<Gap[]> {
  if (projectIds.length === 0) return []
  const rows = await db
    .selectFrom("answer")
    .select(["id", "project_id as projectId", "question", "created_at as askedAt"])
    .where("status", "=", sql.lit("no_answer"))
    .where("courtesy", "is", null)
    .where("gap", "is", null)
    .where("id", ">=", firstIdAt("ans", sinceMs))
    .where(unindexed(db, "project_id"), "in", eachOf(db, JSON.stringify(projectIds)))
    .orderBy("id", "desc")
    .limit(lookedThrough)
    .execute()
  const seen = new Set<string>()
  return rows
    .filter(({ projectId, question }) => {
      const key = `${projectId} ${fold(question).trim()}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, atMost)
}
