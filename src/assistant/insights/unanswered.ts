import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { listUnanswered } from "./asked.ts"
import { groupQuestions, type QuestionGroup } from "./group-questions.ts"

/** More than this many unanswered questions say the same as the latest of them. */
const mostGrouped = 2000

/**
 * What visitors asked since and the documentation did not answer, grouped by what it asks for, the largest
 * group first.
 */
export async function groupUnanswered(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  sinceMs: number,
): Promise<QuestionGroup[]> {
  return groupQuestions(await listUnanswered(db, id, sinceMs, mostGrouped), language)
}
