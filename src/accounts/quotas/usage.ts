import { sql } from "kysely"
import { dayIn, monthIn } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import { eachOf } from "../../db/words.ts"
import { listProjects } from "../project.ts"
import { type AskLimits, windowMs } from "./ask-limits.ts"
import { leftOf, shareOf, type WorkspaceUse, type WorkspaceUseQuery, workspaceUse } from "./month-shares.ts"

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

/** A workspace's own questions of the month, its share, and how many it can still ask if the others ask none. */
export interface WorkspaceMonth {
  questions: number
  share: number
  left: number
}

export async function workspaceMonthOf(
  db: Db,
  { id, organisationId }: { id: string; organisationId: string },
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<WorkspaceMonth> {
  const { questions: total, quota } = await organisationUsageOf(db, organisationId, limits, timezone, nowMs)
  const month = monthIn(timezone, nowMs)
  const { rows } = await useOfMonth(db, { organisationId, month, sinceMs: nowMs - windowMs })
  const divided = shareOf(id, quota, total, rows)
  const left = Math.max(0, Math.min(quota - total, leftOf(divided)))
  return { questions: divided.own, share: divided.share, left }
}

/** From 80 % of what the workspace can ask this month. */
export function isNearlyUsed({ questions, left }: WorkspaceMonth): boolean {
  return questions >= 4 * left
}

const useOfMonth = prepared<WorkspaceUseQuery, WorkspaceUse[number]>((value, db) =>
  db
    .selectFrom(sql<WorkspaceUse[number]>`(${workspaceUse(value)})`.as("use"))
    .selectAll()
    .compile(),
)

async function used(db: Db, subjects: readonly string[], period: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("limit_count")
    .select(["subject", "used"])
    .where("subject", "in", eachOf(db, JSON.stringify(subjects)))
    .where("period", "=", period)
    .execute()
  return new Map(rows.map(({ subject, used }) => [subject, used]))
}
