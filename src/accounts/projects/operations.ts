import { Type } from "@sinclair/typebox"
import { type Clock, hourMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { type Call, idOf, operation } from "../../operations/operation.ts"
import { applyProjectChange, insertProject, type Project, requireProject } from "../project.ts"
import { everyBounds, newProject, projectChange } from "./record.ts"

export interface ProjectDeps {
  db: Db
  clock: Clock
  /** Removes the project with everything that belongs to it, in every domain. */
  removeProject(id: string): Promise<void>
}

/** Refuses as `insertProject` does. */
export const addProject = operation({
  audit: "project.added",
  needs: ["projects:write"],
  input: newProject,
  run: ({ db, clock }: ProjectDeps, { workspaceId, input }) =>
    insertProject(db, workspaceId, input, clock.now()),
  subject: subjectOf,
})

export const changeProject = operation({
  audit: "project.changed",
  needs: ["projects:write"],
  input: projectChange,
  async run(deps: ProjectDeps, call) {
    const { id } = await projectOf(deps, call)
    await applyProjectChange(deps.db, id, call.input)
    return projectOf(deps, call)
  },
  subject: subjectOf,
})

/** How often the feeds are read again, to the minute: `changeProject` counts in hours. */
export const scheduleReadings = operation({
  audit: "project.changed",
  needs: ["projects:write"],
  input: Type.Object({
    every_ms: Type.Union([
      Type.Integer({ minimum: everyBounds.shortestMs, maximum: everyBounds.longestMs }),
      Type.Null(),
    ]),
  }),
  async run(deps: ProjectDeps, call) {
    const project = await projectOf(deps, call)
    const { every_ms: everyMs } = call.input
    await applyProjectChange(deps.db, project.id, { every_hours: everyMs && everyMs / hourMs })
    return project
  },
  subject: subjectOf,
})

export const removeProject = operation({
  audit: "project.removed",
  // The questions, forms and responses of the project are removed with it.
  needs: ["projects:write", "answers:write", "forms:write"],
  isLong: true,
  async run(deps: ProjectDeps, call) {
    const project = await projectOf(deps, call)
    await deps.removeProject(project.id)
    return project
  },
  subject: subjectOf,
})

/** The project that the address names. Throws Refusal `not_found`, also for one of another workspace. */
export function projectOf({ db }: { db: Db }, { workspaceId, ids }: Pick<Call, "workspaceId" | "ids">) {
  return requireProject(db, idOf({ ids }, "project"), workspaceId)
}

/** A project as the audit log names it. */
export function subjectOf({ id, name }: Project) {
  return { id, name }
}
