import { Elysia } from "elysia"
import type { AskLimits } from "../accounts/quotas/ask-limits.ts"
import {
  organisationUsageOf,
  type ProjectUsage,
  projectUsageOf,
  workspaceMonthOf,
} from "../accounts/quotas/usage.ts"
import { membership } from "../accounts/subjects.ts"
import { createToken } from "../accounts/token.ts"
import {
  addWorkspace,
  findWorkspace,
  isDefaultWorkspace,
  renameWorkspace,
  type Workspace,
} from "../accounts/workspace.ts"
import { questionsSince } from "../assistant/insights/daily-questions.ts"
import { type Clock, isoTime, monthIn, monthStartMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { alone } from "../db/alone.ts"
import type { Db } from "../db/connection.ts"
import type { Part } from "../db/search.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { type AuditEntry, listAuditLog } from "../operations/audit-log.ts"
import { everyScope } from "../operations/scope.ts"
import { area } from "./kit/area.ts"
import {
  auditEntryAnswer,
  madeWorkspace,
  newWorkspace,
  usageAnswer,
  type WorkspaceAnswer,
  workspaceAnswer,
  workspaceChange,
} from "./schemas/accounts.ts"

const maxBodyBytes = 4 * 1024

interface WorkspaceDeps {
  db: Db
  clock: Clock
  config: { ask: AskLimits; timezone: string }
  /** Removes everything in the workspace, with the traces of its form responses in other places. */
  removeWorkspace(id: string): Promise<void>
}

/**
 * `/api/v1/workspaces`, `/api/v1/usage`, `/api/v1/journal`. A token sees its own workspace alone. A workspace
 * that it adds is opened by the new token of the reply.
 */
export function workspaceRoutes({ db, clock, config, removeWorkspace }: WorkspaceDeps) {
  async function requireWorkspace(id: string, workspaceId: string): Promise<Workspace> {
    const workspace = id === workspaceId ? await findWorkspace(db, id) : undefined
    if (!workspace) throw new Refusal("not_found", detail("accounts.unknownWorkspace"))
    return workspace
  }

  /** The sum of all workspaces is told to those who administer the installation alone. */
  async function countedFor(workspaceId: string, projects: ProjectUsage, nowMs: number) {
    const { ask, timezone } = config
    if (await isDefaultWorkspace(db, workspaceId)) {
      const { organisationId } = (await findWorkspace(db, workspaceId)) as Workspace
      return organisationUsageOf(db, organisationId, ask, timezone, nowMs)
    }
    const projectIds = projects.map(({ id }) => id)
    const asked = await questionsSince(db, projectIds, monthStartMs(timezone, nowMs))
    return { questions: [...asked.values()].reduce((sum, { asked }) => sum + asked, 0), quota: null }
  }

  const { bearer, operation } = area({ db, clock }, "workspace")

  return new Elysia({ name: "workspaces", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/workspaces",
      ({ query, workspaceId }) => {
        const read = async ({ after }: Part) =>
          after === undefined ? [await requireWorkspace(workspaceId, workspaceId)] : []
        return listPage(query, read, toJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(workspaceAnswer) },
      }),
    )
    .post(
      "/workspaces",
      async ({ request, workspaceId, token, set }) => {
        const { name } = await bodyOf(request, maxBodyBytes, newWorkspace)
        const { id, text } = await alone(db, membership(), async (transaction) => {
          const id = await addWorkspace(transaction, name, clock.now(), workspaceId)
          const { text } = await createToken(transaction, id, token.name, clock.now(), token.scopes)
          return { id, text }
        })
        set.status = 201
        return { ...toJson(await requireWorkspace(id, id)), token: text }
      },
      operation({
        body: newWorkspace,
        answers: { 201: madeWorkspace },
        audit: "workspace.added",
      }),
    )
    .get(
      "/workspaces/:id",
      async ({ params, workspaceId }) => toJson(await requireWorkspace(params.id, workspaceId)),
      operation({ answers: { 200: workspaceAnswer } }),
    )
    .patch(
      "/workspaces/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await requireWorkspace(params.id, workspaceId)
        const { name } = await bodyOf(request, maxBodyBytes, workspaceChange)
        if (name !== undefined) await renameWorkspace(db, id, name)
        return toJson(await requireWorkspace(id, workspaceId))
      },
      operation({
        body: workspaceChange,
        answers: { 200: workspaceAnswer },
        audit: "workspace.changed",
      }),
    )
    .delete(
      "/workspaces/:id",
      async ({ request, params, workspaceId, set }) => {
        const { id } = await requireWorkspace(params.id, workspaceId)
        extendReplyTimeout(request)
        await removeWorkspace(id)
        set.status = 204
      },
      // No audit: the audit log is removed with the workspace.
      operation({
        answers: { 204: null },
        refuses: [409],
        needs: [everyScope],
      }),
    )
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
            await requireWorkspace(workspaceId, workspaceId),
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

function toJson({ id, name, createdAt }: Workspace): WorkspaceAnswer {
  return { id, name, created_at: isoTime(createdAt) }
}

function auditEntryJson({ id, at, actor, action, subject, subjectName }: AuditEntry) {
  return { id, at: isoTime(at), actor, action, subject, subject_name: subjectName }
}
