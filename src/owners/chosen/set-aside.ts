import { findSources } from "../../answering/chosen/chosen-sources.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"

/**
 * Looks for the sources of every chosen answer that was last checked against another generation than the live one,
 * and notes which answers are no longer given. Questions do not wait for it: they look for themselves.
 */
export async function checkChosenAnswers(db: Db, nowMs: number): Promise<void> {
  const rows = await db
    .selectFrom("chosen_answer")
    .innerJoin("generation", (join) =>
      join.onRef("generation.project_id", "=", "chosen_answer.project_id").on("live", "=", 1),
    )
    .select([
      "chosen_answer.id",
      "chosen_answer.project_id",
      "sources",
      "changed_at",
      "set_aside_at",
      "number",
    ])
    .where((is) =>
      is.or([is("checked_generation", "is", null), is("checked_generation", "!=", is.ref("number"))]),
    )
    .limit(maxChecked)
    .execute()
  for (const { id, project_id, sources, changed_at, set_aside_at, number } of rows) {
    const addresses = JSON.parse(sources) as string[]
    const foundSources = await findSources(db, project_id, number, addresses)
    const missing = foundSources.filter((source) => !source).length
    const isGone = missing > 0 && missing === addresses.length
    const checked = {
      checked_generation: number,
      missing,
      set_aside_at: isGone ? (set_aside_at ?? nowMs) : null,
    }
    // A change made since has been checked by the one who made it.
    await changeRows(db, "chosen_answer", { id, changed_at }, checked)
  }
}

/** In one round of a job that runs every minute. */
const maxChecked = 1000
