import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import { eachOf } from "../../db/words.ts"
import type { ResponseState } from "./form-response.ts"

export type ResponseCounts = Record<ResponseState, number>

/** Exact up to here: counting further takes longer than the rest of a page. */
export const maxCounted = 10_000

/** How many responses each of these forms has, by state: `maxCounted + 1` means more than that. */
export async function countResponses(
  db: Db,
  formIds: readonly string[],
): Promise<Map<string, ResponseCounts>> {
  const counts = new Map<string, ResponseCounts>(
    formIds.map((id) => [id, { received: 0, held: 0, unwanted: 0 }]),
  )
  if (formIds.length === 0) return counts
  const ofState = (state: ResponseState) =>
    sql<number>`(SELECT count(*) FROM (
      SELECT 1 FROM form_response WHERE form_id = form.id AND state = ${state} LIMIT ${sql.lit(maxCounted + 1)}
    ) AS counted)`.as(state)
  const rows = await db
    .selectFrom("form")
    .select(["id", ofState("received"), ofState("held"), ofState("unwanted")])
    .where("id", "in", eachOf(db, JSON.stringify(formIds)))
    .execute()
  for (const { id, received, held, unwanted } of rows) counts.set(id, { received, held, unwanted })
  return counts
}

/**
 * How many places of a form are taken, up to `atMost`: by what it received, and by what a person has still to judge.
 * An unwanted response takes none, and an erased one gives its place back.
 */
export async function countPlacesTaken(db: Db, formId: string, atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom((from) =>
      from
        .selectFrom("form_response")
        .select("id")
        .where("form_id", "=", formId)
        .where("state", "in", ["received", "held"])
        .limit(atMost)
        .as("taken"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}

/** How many responses of each project wait to be judged by a person, counted as `countInProjects` does. */
export function countHeld(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  return countInProjects(db, projectIds, sql`state = 'held'`)
}

/** How many responses of a project, or of one of its forms, are in this state, counted as `countInProjects` does. */
export async function countInState(
  db: Db,
  { projectId, formId }: { projectId: string; formId?: string | undefined },
  state: ResponseState,
): Promise<number> {
  const ofForm = formId === undefined ? sql`` : sql`AND form_id = ${formId}`
  const counts = await countInProjects(db, [projectId], sql`state = ${state} ${ofForm}`)
  return counts.get(projectId) ?? 0
}

const countedAtOnce = 20

/** How many responses of each project meet a condition, up to `maxCounted + 1`. Projects without any are left out. */
export async function countInProjects(
  db: Db,
  projectIds: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const count = sql<number>`(SELECT count(*) FROM (
    SELECT 1 FROM form JOIN form_response ON form_id = form.id
    WHERE project_id = project.id AND removed_at IS NULL AND ${condition} LIMIT ${sql.lit(maxCounted + 1)}
  ) AS counted)`.as("count")
  for (let from = 0; from < projectIds.length; from += countedAtOnce) {
    const some = projectIds.slice(from, from + countedAtOnce)
    const rows = await db.selectFrom("project").select(["id", count]).where("id", "in", some).execute()
    for (const row of rows) if (row.count > 0) counts.set(row.id, row.count)
  }
  return counts
}

/** Newest unwanted responses of each form that are looked at: the page waits for them. */
const maxLookedAt = 500

/** How many responses of a project were set apart since then because many came from one address in a minute. */
export async function countCrowded(db: Db, projectId: string, sinceMs: number): Promise<number> {
  const crowded = sql<number>`(SELECT count(*) FROM (
    SELECT stopped_by, created_at FROM form_response WHERE form_id = form.id AND state = 'unwanted'
    ORDER BY id DESC LIMIT ${sql.lit(maxLookedAt)}
  ) AS newest WHERE stopped_by = 'rate' AND created_at >= ${sinceMs})`.as("crowded")
  const rows = await db
    .selectFrom("form")
    .select(crowded)
    .where("project_id", "=", projectId)
    .where("removed_at", "is", null)
    .execute()
  return rows.reduce((sum, row) => sum + row.crowded, 0)
}
