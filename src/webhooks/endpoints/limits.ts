import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/**
 * What an endpoint is limited to: the forms of these projects, and these forms. Both empty: every form of its
 * workspace.
 */
export interface Limits {
  projects: string[]
  forms: string[]
}

export function isLimit({ projects, forms }: Limits): 0 | 1 {
  return projects.length + forms.length > 0 ? 1 : 0
}

export function areSame(some: Limits, others: Limits): boolean {
  return (["projects", "forms"] as const).every(
    (name) => new Set(some[name]).symmetricDifference(new Set(others[name])).size === 0,
  )
}

/**
 * Replaces what the endpoint is limited to. Throws Refusal `invalid_request` for what its workspace does not
 * have.
 */
export async function limitTo(
  transaction: Db,
  id: string,
  workspaceId: string,
  { projects, forms }: Limits,
): Promise<void> {
  await transaction.deleteFrom("endpoint_project").where("endpoint_id", "=", id).execute()
  await transaction.deleteFrom("endpoint_form").where("endpoint_id", "=", id).execute()
  const [ownProjects, ownForms] = [
    await projectsOf(transaction, workspaceId, projects),
    await formsOf(transaction, workspaceId, forms),
  ]
  const fields = {
    ...(ownProjects.length < new Set(projects).size && { projects: detail("webhooks.unknownProjects") }),
    ...(ownForms.length < new Set(forms).size && { forms: detail("webhooks.unknownForms") }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
  if (ownProjects.length > 0)
    await transaction
      .insertInto("endpoint_project")
      .values(ownProjects.map((project_id) => ({ endpoint_id: id, project_id })))
      .execute()
  if (ownForms.length > 0)
    await transaction
      .insertInto("endpoint_form")
      .values(ownForms.map((form_id) => ({ endpoint_id: id, form_id })))
      .execute()
}

export async function limitsOf(db: Db, id: string): Promise<Limits> {
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

async function projectsOf(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("project")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute()
  return rows.map((row) => row.id)
}

async function formsOf(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select("form.id")
    .where("project.workspace_id", "=", workspaceId)
    .where("form.id", "in", ids)
    .where("form.removed_at", "is", null)
    .execute()
  return rows.map((row) => row.id)
}
