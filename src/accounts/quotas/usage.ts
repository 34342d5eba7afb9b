import { dayIn, monthIn } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { listProjects } from "../project.ts"
import type { AskLimits } from "./ask-limits.ts"

/** Usage of a workspace's limits, as counted by `countAsks`. */
export interface Usage {
  /** `2026-11`, in the owner's time zone. */
  month: string
  /** Questions answered this month for the whole organisation. */
  questions: number
  quota: number
  projects: { id: string; name: string; questionsToday: number; perDay: number }[]
}

export async function usageOf(
  db: Db,
  workspaceId: string,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<Usage> {
  const [day, month] = [dayIn(timezone, nowMs), monthIn(timezone, nowMs)]
  const { organisation_id } = await db
    .selectFrom("workspace")
    .select("organisation_id")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow()
  const projects = await listProjects(db, workspaceId)
  return {
    month,
    questions: await used(db, `organisation:${organisation_id}`, month),
    quota: limits.perOrganisationMonth,
    projects: await Promise.all(
      projects.map(async ({ id, name, limits: own }) => ({
        id,
        name,
        questionsToday: await used(db, `project:${id}`, day),
        perDay: own.perDay ?? limits.perProjectDay,
      })),
    ),
  }
}

async function used(db: Db, subject: string, period: string): Promise<number> {
  const row = await db
    .selectFrom("limit_count")
    .select("used")
    .where("subject", "=", subject)
    .where("period", "=", period)
    .executeTakeFirst()
  return row?.used ?? 0
}
