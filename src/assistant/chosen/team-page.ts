import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-turns.ts"
import { type ChosenAnswer, withQuestions } from "./chosen-answer.ts"

/**
 * Answers on one portion of the page, and bytes of them beyond the first: marked up as much as they may be, they make
 * a page of 120 kB.
 */
const atOnce = { answers: 20, bytes: 8000 }

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
export async function teamPage(db: Db, projectId: string, from?: string): Promise<TeamPage> {
  const { ids, next } = await portionFrom(db, projectId, from)
  const rows = await onTeamPage(db, projectId).where("id", "in", ids).selectAll().orderBy("id").execute()
  return { answers: await withQuestions(db, rows), next }
}

/** Address of an answer on the page. Those of the first portion stand at the page's own address. */
export async function teamAnswerUrl(
  db: Db,
  publicUrl: string,
  { projectId, id }: { projectId: string; id: string },
): Promise<string> {
  const { next } = await portionFrom(db, projectId)
  const portion = next === null || id < next ? "" : `?from=${id}`
  return `${publicUrl}${teamPagePath(projectId)}${portion}#${id}`
}

async function portionFrom(
  db: Db,
  projectId: string,
  from = "",
): Promise<{ ids: string[]; next: string | null }> {
  const sized = await onTeamPage(db, projectId)
    .where("id", ">=", from)
    .select(["id", bytesOf("answer").as("bytes")])
    .orderBy("id")
    .limit(atOnce.answers + 1)
    .execute()
  let bytes = 0
  const end = sized.findIndex((answer, index) => {
    bytes += Number(answer.bytes)
    return index === atOnce.answers || (index > 0 && bytes > atOnce.bytes)
  })
  const ids = idsOf(sized)
  return end < 0 ? { ids, next: null } : { ids: ids.slice(0, end), next: ids[end] as string }
}

function onTeamPage(db: Db, projectId: string) {
  return db.selectFrom("chosen_answer").where("project_id", "=", projectId).where("sources", "=", "[]")
}
