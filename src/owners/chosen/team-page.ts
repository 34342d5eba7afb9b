import type { Db } from "../../db/connection.ts"
import { type ChosenAnswer, withQuestions } from "./chosen-answer.ts"

/** Answers on one portion of the page: as long as they may be, they make a page of 100 kB. */
const shownAtOnce = 20

/** The answers of a project that cite no page, which a page of their own shows. */
export interface TeamPage {
  /** The oldest first. */
  answers: ChosenAnswer[]
  /** Id of the first answer of the next portion; null at the end. */
  next: string | null
}

/** Where the page stands, below the address of the service. */
export function teamPagePath(projectId: string): string {
  return `/q/${projectId}`
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

/** Address of an answer on the page. Those of the first portion stand at the page's own address. */
export async function teamAnswerUrl(
  db: Db,
  publicUrl: string,
  { projectId, id }: { projectId: string; id: string },
): Promise<string> {
  const before = await onTeamPage(db, projectId)
    .where("id", "<", id)
    .select("id")
    .limit(shownAtOnce)
    .execute()
  const portion = before.length < shownAtOnce ? "" : `?from=${id}`
  return `${publicUrl}${teamPagePath(projectId)}${portion}#${id}`
}

function onTeamPage(db: Db, projectId: string) {
  return db.selectFrom("chosen_answer").where("project_id", "=", projectId).where("sources", "=", "[]")
}
