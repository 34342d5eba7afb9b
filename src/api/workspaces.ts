import {
  listProjectUsage,
  type ProjectUsage,
  readOrganisationUsage,
  readWorkspaceMonth,
} from "../accounts/quotas/usage.ts"
import { isDefaultWorkspace, requireWorkspace } from "../accounts/workspace.ts"
import { addWorkspace, changeWorkspace, removeWorkspace } from "../accounts/workspaces/operations.ts"
import { madeWorkspace, usageRecord, workspaceRecord } from "../accounts/workspaces/record.ts"
import { monthIn, monthStartMs } from "../base/clock.ts"
import { idsOf } from "../base/ids.ts"
import { shown } from "../http/record/json.ts"
import { type AuditEntry, listAuditLog } from "../operations/audit-log.ts"
import { idOf } from "../operations/operation.ts"
import { auditEntryRecord } from "../operations/record.ts"
import { questionsSince } from "../owners/gaps/daily-questions.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers, type Named } from "./kit/handlers.ts"

export const workspaceShown = shown(workspaceRecord)

const auditEntryShown = shown(auditEntryRecord, ({ projectId }: AuditEntry) => ({ project: projectId }))

/**
 * `/api/v1/workspaces`, `/api/v1/usage`, `/api/v1/journal`. A token sees its own workspace alone. A workspace
 * that it adds is opened by the new token of the reply.
 */
export function workspaceHandlers(deps: ApiDeps) {
  const { db, clock, config } = deps

  /** The sum of all workspaces is told to those who administer the installation alone. */
  async function countedFor(workspaceId: string, projects: ProjectUsage, nowMs: number) {
    const { ask, timezone } = config
    if (await isDefaultWorkspace(db, workspaceId)) {
      const { organisationId } = await requireWorkspace(db, workspaceId)
      return readOrganisationUsage(db, organisationId, ask, timezone, nowMs)
    }
    const projectIds = idsOf(projects)
    const counts = await questionsSince(db, projectIds, monthStartMs(timezone, nowMs))
    return { questions: [...counts.values()].reduce((sum, { asked }) => sum + asked, 0), quota: null }
  }

  async function readUsage({ workspaceId }: Named) {
    const nowMs = clock.now()
    const { ask, timezone } = config
    const projects = await listProjectUsage(db, workspaceId, ask, timezone, nowMs)
    const counted = await countedFor(workspaceId, projects, nowMs)
    const own = await requireWorkspace(db, workspaceId)
    const workspace = await readWorkspaceMonth(db, own, ask, timezone, nowMs)
    return { month: monthIn(timezone, nowMs), ...counted, workspace, projects }
  }

  const { performs, shows, lists } = handlers(deps)

  return {
    list: lists(workspaceShown, async ({ workspaceId }, { after }) =>
      after === undefined ? [await requireWorkspace(db, workspaceId)] : [],
    ),
    add: performs(addWorkspace, {
      status: 201,
      schema: madeWorkspace,
      json: ({ workspace: made, token }) => ({ ...workspaceShown.json(made), token }),
    }),
    show: shows(workspaceShown, ({ workspaceId, ids }) =>
      requireWorkspace(db, idOf({ ids }, "workspace"), workspaceId),
    ),
    change: performs(changeWorkspace, { status: 200, ...workspaceShown }),
    remove: performs(removeWorkspace, { refuses: [409] }),
    usage: shows(shown(usageRecord), readUsage),
    journal: lists(auditEntryShown, ({ workspaceId }, { after, atMost }) =>
      listAuditLog(db, workspaceId, { after, atMost: atMost - 1 }),
    ),
  }
}
