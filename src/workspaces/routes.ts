import { Elysia } from "elysia"
import { type Clock, hourMs, isoTime } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { bearer } from "../http/bearer.ts"
import { readObject } from "../http/body.ts"
import { fieldsOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import {
  addProject,
  changeProject,
  findProject,
  listProjects,
  type Project,
  placeOf,
  removeProject,
} from "./project.ts"
import { sentences } from "./sentences.ts"

const maxBodyBytes = 64 * 1024

/** `/api/v1/projects`: the sites of the token's workspace. */
export function projectRoutes({ db, clock }: { db: Db; clock: Clock }) {
  /** A stranger's project is one that does not exist. */
  async function found(id: string, workspaceId: string): Promise<Project> {
    const project = await findProject(db, id, workspaceId)
    if (!project) throw new Refusal("not_found", sentences.unknownProject)
    return project
  }

  return new Elysia({ name: "projects", prefix: "/api/v1/projects" })
    .use(bearer({ db, clock }))
    .get("", async ({ query, workspaceId }) => {
      const page = pageOf(query)
      const part = { atMost: page.limit + 1, after: page.after }
      return listed(await listProjects(db, workspaceId, part), page, placeOf, described)
    })
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const wanted = projectIn(await readObject(request, maxBodyBytes), "name", "site")
        const { name = "", site = "" } = wanted
        const project = await addProject(db, workspaceId, { ...wanted, name, site }, clock.now())
        set.status = 201
        return described(project)
      },
      { parse: "none" },
    )
    .get("/:id", async ({ params, workspaceId }) => described(await found(params.id, workspaceId)))
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await found(params.id, workspaceId)
        await changeProject(db, id, projectIn(await readObject(request, maxBodyBytes)))
        return described(await found(id, workspaceId))
      },
      { parse: "none" },
    )
    .delete("/:id", async ({ params, workspaceId, set }) => {
      await removeProject(db, (await found(params.id, workspaceId)).id)
      set.status = 204
    })
}

function projectIn(body: Record<string, unknown>, ...required: string[]) {
  const fields = fieldsOf(body)
  const name = fields.text("name")
  const site = fields.text("site")
  const origins = fields.texts("origins")
  const language = fields.oneOf("language", ["fr", "en"])
  const assistantEnabled = fields.flag("assistant_enabled")
  const perMinute = fields.wholeOrNull("per_minute", 1)
  const perVisitorDay = fields.wholeOrNull("per_visitor_day", 1)
  const perDay = fields.wholeOrNull("per_day", 1)
  const everyHours = fields.wholeOrNull("every_hours", 1)
  fields.refuseWrong(...required)
  return {
    ...(name !== undefined && { name }),
    ...(site !== undefined && { site }),
    ...(origins !== undefined && { origins }),
    ...(language !== undefined && { language }),
    ...(assistantEnabled !== undefined && { assistantEnabled }),
    ...(everyHours !== undefined && { everyMs: everyHours === null ? null : everyHours * hourMs }),
    limits: {
      ...(perMinute !== undefined && { perMinute }),
      ...(perVisitorDay !== undefined && { perVisitorDay }),
      ...(perDay !== undefined && { perDay }),
    },
  }
}

function described(project: Project) {
  return {
    id: project.id,
    name: project.name,
    site: project.site,
    origins: project.origins,
    language: project.language,
    assistant_enabled: project.assistantEnabled,
    per_minute: project.limits.perMinute,
    per_visitor_day: project.limits.perVisitorDay,
    per_day: project.limits.perDay,
    every_hours: project.everyMs === null ? null : project.everyMs / hourMs,
    indexed_at: project.indexedAt === null ? null : isoTime(project.indexedAt),
    created_at: isoTime(project.createdAt),
  }
}
