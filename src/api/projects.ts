import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { listProjects, type Project, requireProject, sortKeyOf } from "../accounts/project.ts"
import {
  addProject,
  changeProject,
  type ProjectDeps,
  removeProject,
} from "../accounts/projects/operations.ts"
import { projectRecord } from "../accounts/projects/record.ts"
import { hourMs, isoTime } from "../base/clock.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"

/** `/api/v1/projects`: the sites of the token's workspace. */
export function projectRoutes(deps: ProjectDeps) {
  const { db } = deps
  const { bearer, operation, performs } = area(deps, "projects")

  return new Elysia({ name: "projects", prefix: "/api/v1/projects" })
    .use(bearer)
    .get(
      "",
      ({ query, workspaceId }) =>
        listPage(query, (part) => listProjects(db, workspaceId, part), toJson, sortKeyOf),
      operation({
        query: pageQuery,
        answers: { 200: listOf(projectRecord) },
      }),
    )
    .post("", ...performs(addProject, { status: 201, schema: projectRecord, json: toJson }))
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireProject(db, params.id, workspaceId)),
      operation({ answers: { 200: projectRecord } }),
    )
    .patch(
      "/:id",
      ...performs(changeProject, {
        status: 200,
        schema: projectRecord,
        json: toJson,
        present: async (workspaceId, { project = "" }) =>
          toJson(await requireProject(db, project, workspaceId)),
      }),
    )
    .delete("/:id", ...performs(removeProject))
}

function toJson(project: Project): Static<typeof projectRecord> {
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
