import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { inSteps } from "../../db/steps.ts"
import { changeRows } from "../../db/store.ts"

/** Unassigns an operator's responses in one workspace, in steps. */
export async function unassign(db: Db, workspaceId: string, operatorId: string): Promise<void> {
  const forms = db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select("form.id")
    .where("workspace_id", "=", workspaceId)
  await inSteps(
    db,
    (transaction, atMost) =>
      transaction
        .selectFrom("form_response")
        .select("id")
        .select(bytesOf("field_values").as("bytes"))
        .where("assignee", "=", operatorId)
        .where("form_id", "in", forms)
        .limit(atMost)
        .execute(),
    (transaction, rows) =>
      changeRows(transaction, "form_response", { id: idsOf(rows), assignee: operatorId }, { assignee: null }),
  )
}
