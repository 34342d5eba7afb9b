import { sql } from "kysely"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { inSteps } from "../../db/steps.ts"
import { changeRows } from "../../db/store.ts"
import { countInProjects } from "./count.ts"
import type { ResponseScope } from "./list-responses.ts"

/** Marks a response as read when a member of the workspace first opens it. */
export async function markRead(db: Db, id: string, nowMs: number): Promise<void> {
  await changeRows(db, "form_response", { id, read_at: null }, { read_at: nowMs })
}

export async function markUnread(db: Db, id: string): Promise<void> {
  await changeRows(db, "form_response", { id }, { read_at: null })
}

/** Marks as read what these forms received up to `untilId`, the newest that the reader was shown. */
export async function markAllRead(
  db: Db,
  { projectId, formId }: ResponseScope,
  untilId: string,
  nowMs: number,
): Promise<void> {
  const forms = db
    .selectFrom("form")
    .select("form.id")
    .where("project_id", "=", projectId)
    .$if(formId !== undefined, (one) => one.where("form.id", "=", formId as string))
  await inSteps(
    db,
    (transaction, atMost) =>
      transaction
        .selectFrom("form_response")
        .select("id")
        .select(bytesOf("field_values").as("bytes"))
        .where("form_id", "in", forms)
        .where("id", "<=", untilId)
        .where("state", "=", sql.lit("received" as const))
        .where("read_at", "is", null)
        .limit(atMost)
        .execute(),
    (transaction, rows) =>
      changeRows(transaction, "form_response", { id: idsOf(rows), read_at: null }, { read_at: nowMs }),
  )
}

/** How many received responses of each project were not opened yet. Projects without any are left out. */
export function countUnread(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  return countInProjects(db, projectIds, sql`state = 'received' AND read_at IS NULL`)
}
