import { listProjects, type Project, projectSortKey } from "../accounts/project.ts"
import { addProject, changeProject, projectOf, removeProject } from "../accounts/projects/operations.ts"
import { projectRecord } from "../accounts/projects/record.ts"
import { hourMs } from "../base/clock.ts"
import { shown } from "../http/record/json.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

export const projectShown = shown(projectRecord, ({ limits, everyMs }: Project) => ({
  per_minute: limits.perMinute,
  per_visitor_day: limits.perVisitorDay,
  per_day: limits.perDay,
  every_hours: everyMs && everyMs / hourMs,
}))

/** `/api/v1/projects`: the sites of the token's workspace. */
export function projectHandlers(deps: ApiDeps) {
  const { performs, shows, lists } = handlers(deps)
  const find = (call: Parameters<typeof projectOf>[1]) => projectOf(deps, call)

  return {
    list: lists(projectShown, ({ workspaceId }, part) => listProjects(deps.db, workspaceId, part), {
      keyOf: projectSortKey,
    }),
    add: performs(addProject, { status: 201, ...projectShown }),
    show: shows(projectShown, find),
    change: performs(changeProject, { status: 200, ...projectShown, present: find }),
    remove: performs(removeProject),
  }
}
