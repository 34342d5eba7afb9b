import { dayIn, monthIn } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { eachOf } from "../../db/words.ts"
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
  const counts = await used(
    db,
    projects.map(({ id }) => `project:${id}`),
    day,
  )
  return projects.map(({ id, name, limits: own }) => ({
    id,
    name,
    questionsToday: counts.get(`project:${id}`) ?? 0,
    perDay: own.perDay ?? limits.perProjectDay,
  }))
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
  const subject = `organisation:${organisationId}`
  const counts = await used(db, [subject], monthIn(timezone, nowMs))
  return { questions: counts.get(subject) ?? 0, quota: limits.perOrganisationMonth }
}

async function used(db: Db, subjects: readonly string[], period: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("limit_count")
    .select(["subject", "used"])
    .where("subject", "in", eachOf(db, JSON.stringify(subjects)))
    .where("period", "=", period)
    .execute()
  return new Map(rows.map(({ subject, used }) => [subject, used]))
}
