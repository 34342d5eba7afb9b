import { Type } from "@sinclair/typebox"
import { hourMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { orNull } from "../../http/record/schemas.ts"
import { type Call, idOf, operation, operationsOf } from "../../operations/operation.ts"
import type { PerformDeps } from "../../operations/perform.ts"
import { applyProjectChange, insertProject, type Project, requireProject } from "../project.ts"
import { everyBounds, newProject, projectChange } from "./record.ts"

export interface ProjectDeps extends Pick<PerformDeps, "db" | "clock"> {
  /** Removes the project with everything that belongs to it, in every domain. */
  removeProject(id: string): Promise<void>
}

/** An operation of the project that the address names. Refuses `not_found`, also for one of another workspace. */
export const projectOperation = operationsOf(projectOf, subjectOf)

export const addProject = operation({
  audit: "project.added",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: newProject,
  run: ({ db, clock }: ProjectDeps, { workspaceId, input }) =>
    insertProject(db, workspaceId, input, clock.now()),
  subject: subjectOf,
})

export const changeProject = projectOperation({
  audit: "project.changed",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: projectChange,
  async run(deps: ProjectDeps, call, { id }) {
    await applyProjectChange(deps.db, id, call.input)
    return projectOf(deps, call)
  },
  subject: subjectOf,
})

/** How often the feeds are read again, to the minute: `changeProject` counts in hours. */
export const scheduleReadings = projectOperation({
  audit: "project.changed",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: Type.Object({
    every_ms: orNull(Type.Integer({ minimum: everyBounds.shortestMs, maximum: everyBounds.longestMs })),
  }),
  run: ({ db }: ProjectDeps, { input: { every_ms: everyMs } }, { id }) =>
    applyProjectChange(db, id, { every_hours: everyMs && everyMs / hourMs }),
})

export const removeProject = projectOperation({
  audit: "project.removed",
  // The questions, forms and responses of the project are removed with it.
  needs: ["projects:write", "answers:write", "forms:write"],
  isLong: true,
  run: (deps: ProjectDeps, _, { id }) => deps.removeProject(id),
})

/** The project that the address names. Throws Refusal `not_found`, also for one of another workspace. */
export function projectOf({ db }: { db: Db }, { workspaceId, ids }: Pick<Call, "workspaceId" | "ids">) {
  return requireProject(db, idOf({ ids }, "project"), workspaceId)
}

export function subjectOf({ id, name }: Project) {
  return { id, name, projectId: id }
}
