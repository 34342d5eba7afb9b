import { dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"

/** A visitor may read an answer, look around, and write the next morning. */
const recentMs = dayMs

/**
 * The id, if it is the one of an answer that this project gave in the last day; null otherwise. An id comes with a
 * form post, and anybody may send any.
 */
export async function recentAnswerId(
  db: Db,
  projectId: string,
  id: string | undefined,
  nowMs: number,
): Promise<string | null> {
  if (id === undefined || !/^ans_[0-9a-f]{32}$/.test(id)) return null
  const row = await db
    .selectFrom("answer")
    .select("id")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .where("created_at", ">", nowMs - recentMs)
    .executeTakeFirst()
  return row?.id ?? null
}
