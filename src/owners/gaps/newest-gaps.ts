import { sql } from "kysely"
import type { Project } from "../../accounts/project.ts"
import { firstIdAt, idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { eachOf, unindexed } from "../../db/words.ts"
import { groupQuestionsOnce } from "./group-questions.ts"

/** A question that the documentation does not answer. */
export interface NewestGap {
  /** Id of the answer that did not. */
  id: string
  projectId: string
  question: string
  askedAt: number
}

/** Newest questions that are read to find different ones: one visitor may ask the same many times. */
const lookedThrough = 200

/** Beyond this count the overview of many projects says "more than". */
export const mostGapsCounted = 100

/**
 * Number of questions of each project that the documentation did not answer since `sinceMs`, up to `mostGapsCounted`.
 * Treated and off-topic ones do not count. Each project is a part of one index, which holds nothing else.
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
 * The newest gaps of these projects since `sinceMs`, each by its latest question, without treated and off-topic
 * ones. A gap that is off topic stays so when it is asked in other words.
 */
export async function newestGaps(
  db: Db,
  projects: readonly Pick<Project, "id" | "language">[],
  sinceMs: number,
  atMost: number,
): Promise<NewestGap[]> {
  if (projects.length === 0) return []
  const unanswered = db
    .selectFrom("answer")
    .select(["id", "project_id as projectId", "question", "created_at as askedAt", "gap"])
    .where("status", "=", sql.lit("no_answer"))
    .where("courtesy", "is", null)
    .where("id", ">=", firstIdAt("ans", sinceMs))
    .where(unindexed(db, "project_id"), "in", eachOf(db, JSON.stringify(idsOf(projects))))
    .orderBy("id", "desc")
    .limit(lookedThrough)
  // Each with a bound of its own: a crowd that was called off topic hides nothing.
  const [open, offTopic] = await Promise.all([
    unanswered.where("gap", "is", null).execute(),
    // To the letter, so that the index of these rows is used.
    unanswered.where("gap", "=", sql.lit("off_topic" as const)).execute(),
  ])
  const gaps: NewestGap[] = []
  const setAside = Map.groupBy(offTopic, ({ projectId }) => projectId)
  for (const [projectId, asked] of Map.groupBy(open, (row) => row.projectId)) {
    const { language } = projects.find(({ id }) => id === projectId) as (typeof projects)[number]
    for (const group of await groupQuestionsOnce(
      db,
      [...asked, ...(setAside.get(projectId) ?? [])],
      language,
    )) {
      if (group.asked.some(({ gap }) => gap === "off_topic")) continue
      const { id, question, askedAt } = group.asked.reduce((one, other) => (one.id > other.id ? one : other))
      gaps.push({ id, projectId, question, askedAt })
    }
  }
  return gaps.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, atMost)
}
