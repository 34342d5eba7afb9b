import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import {
  addProject,
  changeProject,
  listProjects,
  type Project,
  type ProjectChange,
  requireProject,
  sortKeyOf,
} from "../accounts/project.ts"
import { type Clock, hourMs, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import { newProject, type ProjectAnswer, projectAnswer, projectChange } from "./schemas/accounts.ts"

const maxBodyBytes = 64 * 1024

interface ProjectDeps {
  db: Db
  clock: Clock
  /** Removes the project with everything that belongs to it, in every domain. */
  removeProject(id: string): Promise<void>
}

/** `/api/v1/projects`: the sites of the token's workspace. */
export function projectRoutes({ db, clock, removeProject }: ProjectDeps) {
  const { bearer, operation } = area({ db, clock }, "projects")

  return new Elysia({ name: "projects", prefix: "/api/v1/projects" })
    .use(bearer)
    .get(
      "",
      ({ query, workspaceId }) =>
        listPage(query, (part) => listProjects(db, workspaceId, part), toJson, sortKeyOf),
      operation({
        query: pageQuery,
        answers: { 200: listOf(projectAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const { name, site, ...rest } = await bodyOf(request, maxBodyBytes, newProject)
        const project = await addProject(db, workspaceId, { ...changeIn(rest), name, site }, clock.now())
        set.status = 201
        return toJson(project)
      },
      operation({
        body: newProject,
        answers: { 201: projectAnswer },
        audit: "project.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireProject(db, params.id, workspaceId)),
      operation({ answers: { 200: projectAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        await changeProject(db, id, changeIn(await bodyOf(request, maxBodyBytes, projectChange)))
        return toJson(await requireProject(db, id, workspaceId))
      },
      operation({
        body: projectChange,
        answers: { 200: projectAnswer },
        audit: "project.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ request, params, workspaceId, set }) => {
        extendReplyTimeout(request)
        await removeProject((await requireProject(db, params.id, workspaceId)).id)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "project.removed",
        // The questions, forms and responses of the project are removed with it.
        needs: ["answers:write", "forms:write"],
      }),
    )
}

function changeIn(body: Static<typeof projectChange>): ProjectChange {
  const { name, site, origins, language, assistant_enabled, answers, every_hours } = body
  return {
    ...(name !== undefined && { name }),
    ...(site !== undefined && { site }),
    ...(origins !== undefined && { origins }),
    ...(language !== undefined && { language }),
    ...(assistant_enabled !== undefined && { assistantEnabled: assistant_enabled }),
    ...(answers !== undefined && { answers }),
    ...(every_hours !== undefined && { everyMs: every_hours === null ? null : every_hours * hourMs }),
    limits: {
      ...(body.per_minute !== undefined && { perMinute: body.per_minute }),
      ...(body.per_visitor_day !== undefined && { perVisitorDay: body.per_visitor_day }),
      ...(body.per_day !== undefined && { perDay: body.per_day }),
    },
  }
}

function toJson(project: Project): ProjectAnswer {
  return {
    id: project.id,
    name: project.name,
    site: project.site,
    origins: project.origins,
    language: project.language,
    assistant_enabled: project.assistantEnabled,
    answers: project.answers,
    per_minute: project.limits.perMinute,
    per_visitor_day: project.limits.perVisitorDay,
    per_day: project.limits.perDay,
    every_hours: project.everyMs === null ? null : project.everyMs / hourMs,
    indexed_at: project.indexedAt === null ? null : isoTime(project.indexedAt),
    created_at: isoTime(project.createdAt),
  }
}
