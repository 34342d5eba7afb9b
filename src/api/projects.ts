import { Elysia } from "elysia"
import { listProjects, type Project, projectSortKey } from "../accounts/project.ts"
import {
  addProject,
  changeProject,
  type ProjectDeps,
  projectOf,
  removeProject,
} from "../accounts/projects/operations.ts"
import { projectRecord } from "../accounts/projects/record.ts"
import { hourMs } from "../base/clock.ts"
import { shown } from "../http/record/json.ts"
import { area, type KitDeps } from "./kit/area.ts"

export const projectShown = shown(projectRecord, ({ limits, everyMs }: Project) => ({
  per_minute: limits.perMinute,
  per_visitor_day: limits.perVisitorDay,
  per_day: limits.perDay,
  every_hours: everyMs && everyMs / hourMs,
}))

/** `/api/v1/projects`: the sites of the token's workspace. */
export function projectRoutes(deps: ProjectDeps & KitDeps) {
  const { bearer, performs, shows, lists } = area(deps, "projects")
  const find = (call: Parameters<typeof projectOf>[1]) => projectOf(deps, call)

  return new Elysia({ name: "projects", prefix: "/api/v1/projects" })
    .use(bearer)
    .get(
      "",
      ...lists(projectShown, ({ workspaceId }, part) => listProjects(deps.db, workspaceId, part), {
        keyOf: projectSortKey,
      }),
    )
    .post("", ...performs(addProject, { status: 201, ...projectShown }))
    .get("/:id", ...shows(projectShown, find))
    .patch("/:id", ...performs(changeProject, { status: 200, ...projectShown, present: find }))
    .delete("/:id", ...performs(removeProject))
}
