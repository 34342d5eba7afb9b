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
