import { sql } from "kysely"
import type { Db } from "../db/connection.ts"
import { changeRows } from "../db/store.ts"
import { eachOf, lockingRows } from "../db/words.ts"
import { type Trouble, troublesOf } from "./indexing-run.ts"

/** An indexing that failed, where the one before had not. */
export interface NewFailure {
  projectId: string
  projectName: string
  workspaceId: string
  failedAtMs: number
  trouble: Trouble
}

const isFailed = sql<boolean>`outcome LIKE '{"trouble"%'`

/**
 * Takes the projects of these workspaces whose last indexing failed, and that were not taken since one went well. They
 * are marked at once, so that two processes do not both tell.
 */
export async function takeNewFailures(transaction: Db, workspaceIds: readonly string[]) {
  await transaction
    .updateTable("indexing_run")
    .set({ failure_told: 0 })
    .where("failure_told", "=", 1)
    .where("ended_at", "is not", null)
    .where(sql<boolean>`NOT ${isFailed}`)
    .execute()
  const rows = await transaction
    .selectFrom("indexing_run")
    .select(["project_id", "ended_at"])
    .where("failure_told", "=", 0)
    .where("ended_at", "is not", null)
    .where(isFailed)
    .where("project_id", "in", (project) =>
      project
        .selectFrom("project")
        .select("id")
        .where("workspace_id", "in", eachOf(transaction, JSON.stringify(workspaceIds))),
    )
    .orderBy("project_id")
    .$call(lockingRows(transaction))
    .execute()
  const ids = rows.map(({ project_id }) => project_id)
  if (ids.length === 0) return []
  await changeRows(transaction, "indexing_run", { project_id: ids }, { failure_told: 1 })
  const troubles = await troublesOf(transaction, ids)
  const projects = await transaction
    .selectFrom("project")
    .select(["id", "name", "workspace_id"])
    .where("id", "in", ids)
    .execute()
  return projects.flatMap(({ id, name, workspace_id }) => {
    const trouble = troubles.get(id)
    const failedAtMs = rows.find(({ project_id }) => project_id === id)?.ended_at
    return trouble && failedAtMs
      ? [{ projectId: id, projectName: name, workspaceId: workspace_id, failedAtMs, trouble }]
      : []
  })
}
