import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { listFormNames, type NamedForm } from "../../forms/definition/form.ts"
import { type Endpoint, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"

type Named = Pick<NamedForm, "id" | "projectId">

/** Forms of a project, and every endpoint of its workspace. */
export interface ProjectParts {
  forms: readonly Named[]
  endpoints: readonly Endpoint[]
}

export async function loadProjectParts(
  db: Db,
  { id, workspaceId }: Pick<Project, "id" | "workspaceId">,
): Promise<ProjectParts> {
  const [forms, endpoints] = await Promise.all([
    listFormNames(db, workspaceId, { projectId: id }),
    listEndpoints(db, workspaceId),
  ])
  return { forms, endpoints }
}

/** The endpoints that get what one of the forms receives. */
export function reachedEndpoints({ forms, endpoints }: ProjectParts): Endpoint[] {
  return endpoints.filter((endpoint) => forms.some((form) => takes(endpoint, form)))
}

export function takes({ filtered, projects, forms }: Endpoint, { id, projectId }: Named): boolean {
  return !filtered || projects.includes(projectId) || forms.includes(id)
}

/** Whether the endpoint gets nothing but what these forms, all those of the project, receive. */
export function takesNothingElse(
  { filtered, projects, forms }: Endpoint,
  projectId: string,
  own: readonly Named[],
): boolean {
  return (
    filtered &&
    projects.every((id) => id === projectId) &&
    forms.every((form) => own.some(({ id }) => id === form))
  )
}

/** Without the test receiver, which stays out of alarms: it fails because an owner told it to. */
export function ownApplications(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.filter(({ kind }) => kind !== "test")
}
