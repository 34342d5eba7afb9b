import { sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import { type Counter, periodName } from "../../limits/limit.ts"
import { readUses } from "../../limits/uses.ts"
import { listProjects } from "../project.ts"
import { type AskLimits, organisationCounter, projectCounter, windowMs } from "./ask-limits.ts"
import {
  monthShare,
  questionsLeft,
  type WorkspaceUse,
  type WorkspaceUseQuery,
  workspaceUse,
} from "./month-shares.ts"

/** How much the projects of a workspace have used of their daily limits, as counted by `countAsks`. */
export type ProjectUsage = { id: string; name: string; questionsToday: number; perDay: number }[]

export async function listProjectUsage(
  db: Db,
  workspaceId: string,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<ProjectUsage> {
  const projects = await listProjects(db, workspaceId)
  const counters = projects.map(({ id }) => projectCounter(id, { timezone, nowMs }))
  const uses = await readUses(db, counters)
  return projects.map(({ id, name, limits: own }, index) => ({
    id,
    name,
    questionsToday: uses.of(counters[index] as Counter).used,
    perDay: own.perDay ?? limits.perProjectDay,
  }))
}

/**
 * Questions that count against the monthly quota of the organisation, which its workspaces share. For those
 * who administer the installation: a workspace is not told how much the others ask.
 */
export async function readOrganisationUsage(
  db: Db,
  organisationId: string,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<{ questions: number; quota: number }> {
  const counter = organisationCounter(organisationId, { timezone, nowMs })
  const { used } = (await readUses(db, [counter])).of(counter)
  return { questions: used, quota: limits.perOrganisationMonth }
}

/** A workspace's own questions of the month, its share, and how many it can still ask if the others ask none. */
export interface WorkspaceMonth {
  questions: number
  share: number
  left: number
}

export async function readWorkspaceMonth(
  db: Db,
  { id, organisationId }: { id: string; organisationId: string },
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<WorkspaceMonth> {
  const { questions: total, quota } = await readOrganisationUsage(db, organisationId, limits, timezone, nowMs)
  const month = periodName("month", { timezone, nowMs })
  const { rows } = await useOfMonth(db, { organisationId, month, sinceMs: nowMs - windowMs })
  const divided = monthShare(id, quota, total, rows)
  const left = Math.max(0, Math.min(quota - total, questionsLeft(divided)))
  return { questions: divided.own, share: divided.share, left }
}

/** From 80 % of what the workspace can ask this month. */
export function isNearlyUsed({ questions, left }: WorkspaceMonth): boolean {
  return questions >= 4 * left
}

export const useOfMonth = prepared<WorkspaceUseQuery, WorkspaceUse[number]>((value, db) =>
  db
    .selectFrom(sql<WorkspaceUse[number]>`(${workspaceUse(value)})`.as("use"))
    .selectAll()
    .compile(),
)
