import { onTeamPage, teamPagePortion } from "../../answering/chosen/team-answer-url.ts"
import type { Db } from "../../db/connection.ts"
import { type ChosenAnswer, withQuestions } from "./chosen-answer.ts"

/** The answers of a project that cite no page, which a page of their own shows. */
export interface TeamPage {
  /** The oldest first. */
  answers: ChosenAnswer[]
  /** Id of the first answer of the next portion; null at the end. */
  next: string | null
}

/** The portion that begins with the answer `from`, or with the first. */
export async function teamPage(db: Db, projectId: string, from?: string): Promise<TeamPage> {
  const { ids, next } = await teamPagePortion(db, projectId, from)
  const rows = await onTeamPage(db, projectId).where("id", "in", ids).selectAll().orderBy("id").execute()
  return { answers: await withQuestions(db, rows), next }
}
