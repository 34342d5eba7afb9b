import { onTeamPage, shownAtOnce } from "../../answering/chosen/team-answer-url.ts"
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
export async function teamPage(db: Db, projectId: string, from = ""): Promise<TeamPage> {
  const rows = await onTeamPage(db, projectId)
    .where("id", ">=", from)
    .selectAll()
    .orderBy("id")
    .limit(shownAtOnce + 1)
    .execute()
  const answers = await withQuestions(db, rows.slice(0, shownAtOnce))
  return { answers, next: rows[shownAtOnce]?.id ?? null }
}
