import { dayIn, dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"

/** How often an answer was offered before a form was sent, and how often the form was not needed then. */
export interface ContactCounts {
  offered: number
  solved: number
}

/** Counts stay for this long. They name no visitor. */
const keptMs = 400 * dayMs

export async function countOffered(db: Db, projectId: string, timezone: string, nowMs: number) {
  await db
    .insertInto("contact_count")
    .values({ project_id: projectId, day: dayIn(timezone, nowMs), offered: 1, solved: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["project_id", "day"])
        .doUpdateSet((row) => ({ offered: row("contact_count.offered", "+", 1) })),
    )
    .execute()
}

/** Never counts more than were offered that day: callers are anonymous. */
export async function countSolved(db: Db, projectId: string, timezone: string, nowMs: number): Promise<void> {
  await db
    .updateTable("contact_count")
    .set((row) => ({ solved: row("solved", "+", 1) }))
    .where("project_id", "=", projectId)
    .where("day", "=", dayIn(timezone, nowMs))
    .whereRef("solved", "<", "offered")
    .execute()
}

export async function contactCountsSince(
  db: Db,
  projectId: string,
  timezone: string,
  sinceMs: number,
): Promise<ContactCounts> {
  const row = await db
    .selectFrom("contact_count")
    .select(({ fn }) => [fn.sum<number>("offered").as("offered"), fn.sum<number>("solved").as("solved")])
    .where("project_id", "=", projectId)
    .where("day", ">=", dayIn(timezone, sinceMs))
    .executeTakeFirst()
  return { offered: Number(row?.offered ?? 0), solved: Number(row?.solved ?? 0) }
}

export async function purgeContactCounts(db: Db, timezone: string, nowMs: number): Promise<void> {
  await deleteInSteps(db, "contact_count", (count) => count("day", "<", dayIn(timezone, nowMs - keptMs)))
}
