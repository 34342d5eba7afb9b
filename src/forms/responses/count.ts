import type { Db } from "../../db/connection.ts"
import { eachOf } from "../../db/words.ts"
import type { ResponseState } from "./form-response.ts"

export type ResponseCounts = Record<ResponseState, number>

/** How many responses each of these forms has, by state. */
export async function countResponses(
  db: Db,
  formIds: readonly string[],
): Promise<Map<string, ResponseCounts>> {
  const counts = new Map<string, ResponseCounts>(
    formIds.map((id) => [id, { received: 0, held: 0, unwanted: 0 }]),
  )
  if (formIds.length === 0) return counts
  const rows = await db
    .selectFrom("form_response")
    .select(["form_id", "state"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("form_id", "in", formIds)
    .groupBy(["form_id", "state"])
    .execute()
  for (const { form_id, state, count } of rows) {
    const own = counts.get(form_id)
    if (own) own[state] = count
  }
  return counts
}

/** How many responses of each project wait to be judged by a person. Projects without any are left out. */
export async function countHeld(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("form")
    .innerJoin("form_response", "form_response.form_id", "form.id")
    .select(({ fn }) => ["project_id", fn.countAll<number>().as("count")])
    .where("project_id", "in", eachOf(db, JSON.stringify(projectIds)))
    .where("removed_at", "is", null)
    .where("state", "=", "held")
    .groupBy("project_id")
    .execute()
  return new Map(rows.map(({ project_id, count }) => [project_id, count]))
}
