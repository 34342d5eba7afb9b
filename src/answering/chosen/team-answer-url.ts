import type { Db } from "../../db/connection.ts"

/** Answers on one portion of the page: as long as they may be, they make a page of 100 kB. */
export const shownAtOnce = 20

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
  const before = await onTeamPage(db, projectId)
    .where("id", "<", id)
    .select("id")
    .limit(shownAtOnce)
    .execute()
  const portion = before.length < shownAtOnce ? "" : `?from=${id}`
  return `${publicUrl}${teamPagePath(projectId)}${portion}#${id}`
}

/** The answers that cite no page. */
export function onTeamPage(db: Db, projectId: string) {
  return db.selectFrom("chosen_answer").where("project_id", "=", projectId).where("sources", "=", "[]")
}
