import { projectsIn } from "../../accounts/project.ts"
import { dayMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countHeld } from "../../forms/responses/count.ts"
import { countUnread } from "../../forms/responses/unread.ts"
import { sumOfQuestions } from "../../owners/gaps/daily-questions.ts"
import { countGaps } from "../../owners/gaps/newest-gaps.ts"
import { activeEndpointsIn } from "../../webhooks/endpoints/endpoint.ts"
import { readHealth } from "../../webhooks/endpoints/health.ts"
import { type CountQuestions, shownDays } from "../home/figures.ts"
import { lastDays } from "../kit/dates.tsx"

/** Days within which a question without an answer is new. */
export const newGapDays = 7

/** Whatever in a workspace asks for attention, and how its assistant did in the last days. */
const nothing = {
  unread: 0,
  held: 0,
  failing: 0,
  /** Endpoints that gave messages up, which can be replayed. */
  givenUp: 0,
  gaps: 0,
  asked: 0,
  answered: 0,
  /** The one project of the workspace, if it has no other. */
  onlyProject: undefined as string | undefined,
}
export type WorkspaceFigures = typeof nothing

/** The figures of each workspace, by id: as many statements for a hundred of them as for one. */
export async function workspaceFigures(
  { db, countQuestions }: { db: Db; countQuestions: CountQuestions },
  workspaceIds: readonly string[],
  timezone: string,
  nowMs: number,
): Promise<Map<string, WorkspaceFigures>> {
  const [projects, endpoints] = await Promise.all([
    projectsIn(db, workspaceIds),
    activeEndpointsIn(db, workspaceIds),
  ])
  const projectIds = idsOf(projects)
  const endpointIds = idsOf(endpoints)
  const [unread, held, gaps, questions, health] = await Promise.all([
    countUnread(db, projectIds),
    countHeld(db, projectIds),
    countGaps(db, projectIds, nowMs - newGapDays * dayMs),
    countQuestions(projectIds, lastDays(timezone, nowMs, shownDays)),
    readHealth(db, endpointIds, [], nowMs),
  ])
  const figuresById = new Map<string, WorkspaceFigures>(workspaceIds.map((id) => [id, { ...nothing }]))
  const projectsByWorkspace = Map.groupBy(projects, ({ workspaceId }) => workspaceId)
  for (const [workspaceId, own] of projectsByWorkspace) {
    const figures = figuresById.get(workspaceId) as WorkspaceFigures
    if (own.length === 1) figures.onlyProject = own[0]?.id
    for (const { id } of own) {
      figures.unread += unread.get(id) ?? 0
      figures.held += held.get(id) ?? 0
      figures.gaps += gaps.get(id) ?? 0
      const { asked, answered } = sumOfQuestions(questions.get(id) ?? [])
      figures.asked += asked
      figures.answered += answered
    }
  }
  for (const { id, workspaceId } of endpoints) {
    const figures = figuresById.get(workspaceId) as WorkspaceFigures
    const state = health.get(id)?.state
    if (state === "bad") figures.givenUp++
    if (state === "warn") figures.failing++
  }
  return figuresById
}
