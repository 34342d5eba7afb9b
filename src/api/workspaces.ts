import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { AskLimits } from "../accounts/quotas/ask-limits.ts"
import {
  organisationUsageOf,
  type ProjectUsage,
  projectUsageOf,
  workspaceMonthOf,
} from "../accounts/quotas/usage.ts"
import { isDefaultWorkspace, requireWorkspace, type Workspace } from "../accounts/workspace.ts"
import {
  addWorkspace,
  changeWorkspace,
  removeWorkspace,
  type WorkspaceDeps,
} from "../accounts/workspaces/operations.ts"
import { madeWorkspace, workspaceRecord } from "../accounts/workspaces/record.ts"
import { questionsSince } from "../assistant/insights/daily-questions.ts"
import { isoTime, monthIn, monthStartMs } from "../base/clock.ts"
import type { PageRequest } from "../db/search.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { type AuditEntry, listAuditLog } from "../operations/audit-log.ts"
import { area } from "./kit/area.ts"
import { auditEntryAnswer, usageAnswer } from "./schemas/accounts.ts"

interface WorkspaceRouteDeps extends WorkspaceDeps {
  config: { ask: AskLimits; timezone: string }
}

/**
 * `/api/v1/workspaces`, `/api/v1/usage`, `/api/v1/journal`. A token sees its own workspace alone. A workspace
 * that it adds is opened by the new token of the reply.
 */
export function workspaceRoutes(deps: WorkspaceRouteDeps) {
  const { db, clock, config } = deps

  /** The sum of all workspaces is told to those who administer the installation alone. */
  async function countedFor(workspaceId: string, projects: ProjectUsage, nowMs: number) {
    const { ask, timezone } = config
    if (await isDefaultWorkspace(db, workspaceId)) {
      const { organisationId } = await requireWorkspace(db, workspaceId)
      return organisationUsageOf(db, organisationId, ask, timezone, nowMs)
    }
    const projectIds = projects.map(({ id }) => id)
    const asked = await questionsSince(db, projectIds, monthStartMs(timezone, nowMs))
    return { questions: [...asked.values()].reduce((sum, { asked }) => sum + asked, 0), quota: null }
  }

  const { bearer, operation, performs } = area(deps, "workspace")

  return new Elysia({ name: "workspaces", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/workspaces",
      ({ query, workspaceId }) => {
        const read = async ({ after }: PageRequest) =>
          after === undefined ? [await requireWorkspace(db, workspaceId)] : []
        return listPage(query, read, toJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(workspaceRecord) },
      }),
    )
    .post(
      "/workspaces",
      ...performs(addWorkspace, {
        status: 201,
        schema: madeWorkspace,
        json: ({ workspace, token }) => ({ ...toJson(workspace), token }),
      }),
    )
    .get(
      "/workspaces/:id",
      async ({ params, workspaceId }) => toJson(await requireWorkspace(db, params.id, workspaceId)),
      operation({ answers: { 200: workspaceRecord } }),
    )
    .patch(
      "/workspaces/:id",
      ...performs(changeWorkspace, { status: 200, schema: workspaceRecord, json: toJson }),
    )
    .delete("/workspaces/:id", ...performs(removeWorkspace, { refuses: [409] }))
    .get(
      "/usage",
      async ({ workspaceId }) => {
        const nowMs = clock.now()
        const { ask, timezone } = config
        const own = await projectUsageOf(db, workspaceId, ask, timezone, nowMs)
        return {
          month: monthIn(timezone, nowMs),
          ...(await countedFor(workspaceId, own, nowMs)),
          workspace: await workspaceMonthOf(
            db,
            await requireWorkspace(db, workspaceId),
            ask,
            timezone,
            nowMs,
          ),
          projects: own.map(({ id, name, questionsToday, perDay }) => ({
            id,
            name,
            questions_today: questionsToday,
            per_day: perDay,
          })),
        }
      },
      operation({
        answers: { 200: usageAnswer },
      }),
    )
    .get(
      "/journal",
      ({ query, workspaceId }) =>
        listPage(
          query,
          ({ after, atMost }) => listAuditLog(db, workspaceId, { after, atMost: atMost - 1 }),
          auditEntryJson,
        ),
      operation({
        query: pageQuery,
        answers: { 200: listOf(auditEntryAnswer) },
      }),
    )
}

function toJson({ id, name, createdAt }: Workspace): Static<typeof workspaceRecord> {
  return { id, name, created_at: isoTime(createdAt) }
}

function auditEntryJson({ id, at, actor, action, subject, subjectName }: AuditEntry) {
  return { id, at: isoTime(at), actor, action, subject, subject_name: subjectName }
}
