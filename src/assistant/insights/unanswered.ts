import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { listUnanswered } from "./asked-questions.ts"
import { groupQuestions, type QuestionGroup } from "./group-questions.ts"

/** Latest unanswered questions that are grouped. Earlier ones rarely ask for anything else. */
const maxGroupedQuestions = 2000

/** Groups similar questions that the documentation has not answered since `sinceMs`, largest group first. */
export async function groupUnanswered(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  sinceMs: number,
): Promise<QuestionGroup[]> {
  return groupQuestions(await listUnanswered(db, id, sinceMs, maxGroupedQuestions), language)
}
