import { type RawBuilder, sql } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { insertRows } from "../../db/store.ts"

/** Both empty: every form of its workspace. */
export interface EndpointFilter {
  projects: string[]
  forms: string[]
}

export function isFiltered({ projects, forms }: EndpointFilter): 0 | 1 {
  return projects.length + forms.length > 0 ? 1 : 0
}

export function isSameFilter(one: EndpointFilter, other: EndpointFilter): boolean {
  return (["projects", "forms"] as const).every(
    (name) => new Set(one[name]).symmetricDifference(new Set(other[name])).size === 0,
  )
}

/** Throws Refusal `invalid_request` for projects and forms that its workspace does not have. */
export async function setFilter(
  transaction: Db,
  id: string,
  workspaceId: string,
  { projects, forms }: EndpointFilter,
): Promise<void> {
  await transaction.deleteFrom("endpoint_project").where("endpoint_id", "=", id).execute()
  await transaction.deleteFrom("endpoint_form").where("endpoint_id", "=", id).execute()
  const [ownProjects, ownForms] = [
    await ownProjectIds(transaction, workspaceId, projects),
    await ownFormIds(transaction, workspaceId, forms),
  ]
  const fields = {
    ...(ownProjects.length < new Set(projects).size && { projects: detail("webhooks.unknownProjects") }),
    ...(ownForms.length < new Set(forms).size && { forms: detail("webhooks.unknownForms") }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
  const projectRows = ownProjects.map((project_id) => ({ endpoint_id: id, project_id }))
  await insertRows(transaction, "endpoint_project", projectRows)
  const formRows = ownForms.map((form_id) => ({ endpoint_id: id, form_id }))
  await insertRows(transaction, "endpoint_form", formRows)
}

export async function readFilter(db: Db, id: string): Promise<EndpointFilter> {
  const projects = await db
    .selectFrom("endpoint_project")
    .select("project_id")
    .where("endpoint_id", "=", id)
    .execute()
  const forms = await db
    .selectFrom("endpoint_form")
    .innerJoin("form", "form.id", "endpoint_form.form_id")
    .select("form_id")
    .where("endpoint_id", "=", id)
    .where("form.removed_at", "is", null)
    .execute()
  return {
    projects: projects.map((project) => project.project_id),
    forms: forms.map((form) => form.form_id),
  }
}

/**
 * For queries over `message`, and over `delivery` unless the endpoint is given: whether the message's form passes the
 * endpoint's present filter. An owner who restricts an endpoint to one client must not see another client's responses
 * arrive there from a backlog. An event about a project passes as that project does, a test message always.
 */
export function matchesFilter(endpointId: RawBuilder<unknown> = sql.ref("delivery.endpoint_id")) {
  return sql<boolean>`((message.response_id IS NULL AND message.project_id IS NULL) OR EXISTS (
  SELECT 1 FROM endpoint WHERE endpoint.id = ${endpointId} AND (
    endpoint.filtered = 0
    OR EXISTS (SELECT 1 FROM endpoint_form WHERE endpoint_id = endpoint.id AND form_id = message.form_id)
    OR EXISTS (SELECT 1 FROM endpoint_project
      WHERE endpoint_id = endpoint.id AND project_id = message.project_id)
    OR EXISTS (
      SELECT 1 FROM endpoint_project JOIN form ON form.project_id = endpoint_project.project_id
      WHERE endpoint_project.endpoint_id = endpoint.id AND form.id = message.form_id))))`
}

async function ownProjectIds(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("project")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute()
  return idsOf(rows)
}

async function ownFormIds(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select("form.id")
    .where("project.workspace_id", "=", workspaceId)
    .where("form.id", "in", ids)
    .where("form.removed_at", "is", null)
    .execute()
  return idsOf(rows)
}
