import { findProject } from "../../accounts/project.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { alone } from "../../db/alone.ts"
import type { FormDeps } from "../deps.ts"
import { purgeRemovedForm } from "../responses/purge.ts"
import { checkedForm } from "./description.ts"
import { type Form, findForm, insertForm, markFormRemoved, saveForm } from "./form.ts"

/** The owner's actions on forms, shared by the API and the console. */

/**
 * Resolves to the id. Throws Refusal `invalid_request` with a problem for every fault at once, keyed by path.
 */
export async function createForm(
  { db, clock, mailer }: FormDeps,
  workspaceId: string,
  body: Record<string, unknown>,
): Promise<string> {
  const projectId = typeof body["project"] === "string" ? body["project"] : ""
  const project = await findProject(db, projectId, workspaceId)
  const problems: Record<string, Detail> = project ? {} : { project: detail("forms.unknownProject") }
  const described = checkedForm(body, mailer.configured, problems)
  return insertForm(db, projectId, described, clock.now())
}

/**
 * Changes only what the body mentions; one transaction keeps concurrent changes to the rest. Throws Refusal
 * `not_found` for a stranger's form, and as `createForm` does.
 */
export async function updateForm(
  { db, mailer }: FormDeps,
  workspaceId: string,
  id: string,
  body: Record<string, unknown>,
): Promise<Form> {
  return alone(db, `form:${id}`, async (transaction) => {
    const present = await findForm(transaction, workspaceId, id)
    if (!present) throw new Refusal("not_found", detail("forms.unknownForm"))
    const described = checkedForm(body, mailer.configured, {}, present)
    await saveForm(transaction, id, described)
    return { ...present, ...described }
  })
}

/**
 * Deletes a form with its responses. Posts are refused from the first moment on; the scheduled purge finishes
 * a deletion that was cut short.
 */
export async function deleteForm(deps: FormDeps, id: string): Promise<void> {
  await markFormRemoved(deps.db, id, deps.clock.now())
  await purgeRemovedForm(deps, id)
}
