import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"

/**
 * Answers on one portion of the page, and bytes of them beyond the first: marked up as much as they may be, they make
 * a page of 120 kB.
 */
const atOnce = { answers: 20, bytes: 8000 }

/** Where the page stands, below the address of the service. */
export function teamPagePath(projectId: string): string {
  return `/q/${projectId}`
}

/** Address of an answer on the page. Those of the first portion stand at the page's own address. */
export async function teamAnswerUrl(
  db: Db,
  publicUrl: string,
  { projectId, id }: { projectId: string; id: string },
): Promise<string> {
  const { next } = await teamPagePortion(db, projectId)
  const portion = next === null || id < next ? "" : `?from=${id}`
  return `${publicUrl}${teamPagePath(projectId)}${portion}#${id}`
}

/** Ids of the answers of the portion that begins with the answer `from`, or with the first, and of the one after. */
export async function teamPagePortion(db: Db, projectId: string, from = "") {
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

/** The answers that cite no page. */
export function onTeamPage(db: Db, projectId: string) {
  return db.selectFrom("chosen_answer").where("project_id", "=", projectId).where("sources", "=", "[]")
}
