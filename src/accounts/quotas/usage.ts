import { dayIn, monthIn } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { listProjects } from "../project.ts"
import type { AskLimits } from "./ask-limits.ts"

/** How much the projects of a workspace have used of their daily limits, as counted by `countAsks`. */
export type ProjectUsage = { id: string; name: string; questionsToday: number; perDay: number }[]

export async function projectUsageOf(
  db: Db,
  workspaceId: string,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<ProjectUsage> {
  const day = dayIn(timezone, nowMs)
  const projects = await listProjects(db, workspaceId)
  return Promise.all(
    projects.map(async ({ id, name, limits: own }) => ({
      id,
      name,
      questionsToday: await used(db, `project:${id}`, day),
      perDay: own.perDay ?? limits.perProjectDay,
    })),
  )
}

/**
 * Questions that count against the monthly quota of the organisation, which its workspaces share. For those
 * who administer the installation: a workspace is not told how much the others ask.
 */
export async function organisationUsageOf(
  db: Db,
  organisationId: string,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<{ questions: number; quota: number }> {
  return {
    questions: await used(db, `organisation:${organisationId}`, monthIn(timezone, nowMs)),
    quota: limits.perOrganisationMonth,
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
