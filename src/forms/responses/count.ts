import type { Db } from "../../db/connection.ts"
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
