import { Elysia } from "elysia"
import { type JournalEntry, listJournal } from "../accounts/audit-log.ts"
import type { AskLimits } from "../accounts/quotas/ask-quota.ts"
import { usageOf } from "../accounts/quotas/usage.ts"
import { everyScope } from "../accounts/scope.ts"
import { createToken } from "../accounts/token.ts"
import { addWorkspace, findWorkspace, renameWorkspace, type Workspace } from "../accounts/workspace.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/sqlite/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { allowSlowReply } from "../http/slow.ts"
import { bearer } from "./kit/bearer.ts"
import { operation } from "./kit/operation.ts"
import {
  journalAnswer,
  madeWorkspace,
  newWorkspace,
  usageAnswer,
  type WorkspaceAnswer,
  workspaceAnswer,
  workspaceChange,
} from "./schemas/accounts.ts"

const maxBodyBytes = 4 * 1024

interface Parts {
  db: Db
  clock: Clock
  config: { ask: AskLimits; timezone: string }
  /** With everything in it, what its form responses left elsewhere too. */
  removeWorkspace(id: string): Promise<void>
}

/**
 * `/api/v1/workspaces`, `/api/v1/usage`, `/api/v1/journal`. Workspaces are walls: a token sees its own alone, and what it
 * adds is opened by the token that comes with the answer.
 */
export function workspaceRoutes({ db, clock, config, removeWorkspace }: Parts) {
  async function found(id: string, workspaceId: string): Promise<Workspace> {
    const workspace = id === workspaceId ? await findWorkspace(db, id) : undefined
    if (!workspace) throw new Refusal("not_found", detail("accounts.unknownWorkspace"))
    return workspace
  }

  return new Elysia({ name: "workspaces", prefix: "/api/v1" })
    .use(bearer({ db, clock }, "workspace"))
    .get(
      "/workspaces",
      async ({ query, workspaceId }) => {
        const page = pageOf(query)
        const own = page.after === undefined ? [await found(workspaceId, workspaceId)] : []
        return listed(own, page, ({ id }) => id, described)
      },
      operation({
        summary: "Lists the workspaces that the token opens: its own",
        query: pageQuery,
        answers: { 200: listOf(workspaceAnswer) },
      }),
    )
    .post(
      "/workspaces",
      async ({ request, workspaceId, token, set }) => {
        const { name } = await bodyOf(request, maxBodyBytes, newWorkspace)
        const { id, text } = await db.transaction().execute(async (transaction) => {
          const id = await addWorkspace(transaction, name, clock.now(), workspaceId)
          const { text } = await createToken(transaction, id, token.name, clock.now(), token.scopes)
          return { id, text }
        })
        set.status = 201
        return { ...described(await found(id, id)), token: text }
      },
      operation({
        summary:
          "Adds a workspace to the organisation, with a first token, shown this once, that may add its operators",
        body: newWorkspace,
        answers: { 201: madeWorkspace },
        journal: "workspace.added",
      }),
    )
    .get(
      "/workspaces/:id",
      async ({ params, workspaceId }) => described(await found(params.id, workspaceId)),
      operation({ summary: "Shows a workspace", answers: { 200: workspaceAnswer } }),
    )
    .patch(
      "/workspaces/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await found(params.id, workspaceId)
        const { name } = await bodyOf(request, maxBodyBytes, workspaceChange)
        if (name !== undefined) await renameWorkspace(db, id, name)
        return described(await found(id, workspaceId))
      },
      operation({
        summary: "Renames a workspace",
        body: workspaceChange,
        answers: { 200: workspaceAnswer },
        journal: "workspace.changed",
      }),
    )
    .delete(
      "/workspaces/:id",
      async ({ request, params, workspaceId, set }) => {
        const { id } = await found(params.id, workspaceId)
        allowSlowReply(request)
        await removeWorkspace(id)
        set.status = 204
      },
      // Its journal goes with it.
      operation({
        summary: "Removes a workspace with all that is in it",
        answers: { 204: null },
        refuses: [409],
        needs: [everyScope],
      }),
    )
    .get(
      "/usage",
      async ({ workspaceId }) => {
        const usage = await usageOf(db, workspaceId, config.ask, config.timezone, clock.now())
        const projects = usage.projects.map(({ id, name, questionsToday, perDay }) => ({
          id,
          name,
          questions_today: questionsToday,
          per_day: perDay,
        }))
        return { ...usage, projects }
      },
      operation({
        summary: "Shows what was used of the quota and the limits",
        answers: { 200: usageAnswer },
      }),
    )
    .get(
      "/journal",
      async ({ query, workspaceId }) => {
        const page = pageOf(query)
        const part = { atMost: page.limit + 1, after: page.after }
        return listed(await listJournal(db, workspaceId, part), page, ({ id }) => id, entry)
      },
      operation({ summary: "Lists who did what", query: pageQuery, answers: { 200: listOf(journalAnswer) } }),
    )
}

function described({ id, name, createdAt }: Workspace): WorkspaceAnswer {
  return { id, name, created_at: isoTime(createdAt) }
}

function entry({ id, at, actor, action, subject, subjectName }: JournalEntry) {
  return { id, at: isoTime(at), actor, action, subject, subject_name: subjectName }
}
