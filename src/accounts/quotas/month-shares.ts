import { sql } from "kysely"

/** Use of a month by the workspaces of an organisation that have an indexed project. */
export type WorkspaceUse = { id: string; used: number }[]

/** How far one workspace may go in the month of its organisation. */
export interface MonthShare {
  own: number
  /** Kept for it, whatever the others ask. */
  share: number
  /** Questions of all that no share covers, and how many there may be. */
  commonUsed: number
  common: number
}

/** As long as the organisation has asked fewer questions, every workspace may ask: the common half covers all. */
export function commonHalf(quota: number): number {
  return quota - Math.floor(quota / 2)
}

/**
 * Half of the quota is common, the other half is kept in equal shares. Questions of `total` that belong to no
 * workspace in `use` (it was removed, has no index any more, or asked before the counts knew workspaces) are common.
 */
export function monthShare(workspaceId: string, quota: number, total: number, use: WorkspaceUse): MonthShare {
  const share = use.length === 0 ? 0 : Math.floor(Math.floor(quota / 2) / use.length)
  const covered = use.reduce((sum, { used }) => sum + Math.min(used, share), 0)
  const own = use.find(({ id }) => id === workspaceId)
  return {
    own: own?.used ?? 0,
    share: own ? share : 0,
    commonUsed: Math.max(0, total - covered),
    common: quota - share * use.length,
  }
}

/** Questions that the workspace can still ask, if the others ask none. */
export function questionsLeft({ own, share, commonUsed, common }: MonthShare): number {
  return Math.max(0, share - own) + Math.max(0, common - commonUsed)
}

export interface WorkspaceUseQuery {
  organisationId: string
  month: string
  /** Older reservations do not count. */
  sinceMs: number
}

/** Selects `WorkspaceUse`, counted questions and reservations together. */
export function workspaceUse(
  value: <Name extends keyof WorkspaceUseQuery>(name: Name) => WorkspaceUseQuery[Name],
) {
  const organisation = value("organisationId")
  return sql<WorkspaceUse[number]>`
    SELECT workspace.id, coalesce(limit_count.used, 0) + coalesce(reserved.places, 0) AS used
    FROM workspace
    LEFT JOIN limit_count ON limit_count.period = ${value("month")} AND limit_count.subject = 'workspace:' || workspace.id
    LEFT JOIN (
      SELECT project.workspace_id, count(*) AS places
      FROM recent_ask JOIN project ON project.id = recent_ask.project_id
      WHERE recent_ask.organisation_id = ${organisation} AND recent_ask.counted = 0 AND recent_ask.at > ${value("sinceMs")}
      GROUP BY project.workspace_id) reserved ON reserved.workspace_id = workspace.id
    WHERE workspace.organisation_id = ${organisation} AND EXISTS (
      SELECT 1 FROM project JOIN generation ON generation.project_id = project.id AND generation.live = 1
      WHERE project.workspace_id = workspace.id)`
}
