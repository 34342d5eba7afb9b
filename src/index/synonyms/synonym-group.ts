import type { Db } from "../../db/connection.ts"
import { lookup } from "../../db/lookup.ts"
import type { Row } from "../../db/schema.ts"
import type { PageRequest } from "../../db/search.ts"
import { rowsOf } from "../../db/store.ts"

/** Words or short phrases that mean the same in the questions of a project. */
export interface SynonymGroup {
  id: string
  words: string[]
  createdAt: number
}

/** Limits of one project. The messages `assistant.synonym…` name the same numbers. */
export const synonymLimits = { groups: 200, leastWords: 2, words: 10, wordLength: 60 } as const

/** All groups of a project, newest first: every question reads them. */
export async function allSynonymGroups(db: Db, projectId: string): Promise<SynonymGroup[]> {
  return (await groupsByProject(db, projectId)).map(toSynonymGroup)
}

const groupsByProject = lookup<Row<"synonym_group">>((isWanted, db) =>
  db
    .selectFrom("synonym_group")
    .selectAll()
    .select("project_id as key")
    .where(isWanted("project_id"))
    .orderBy("id", "desc")
    .compile(),
)

/** Newest first. */
export async function listSynonymGroups(db: Db, projectId: string, part: PageRequest) {
  return (await rowsOf(db, "synonym_group", { project_id: projectId }, part)).map(toSynonymGroup)
}

export function toSynonymGroup(row: Row<"synonym_group">): SynonymGroup {
  return { id: row.id, words: JSON.parse(row.words), createdAt: row.created_at }
}
