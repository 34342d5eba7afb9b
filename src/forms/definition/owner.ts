import { findProject } from "../../accounts/project.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import type { FormParts } from "../parts.ts"
import { purgeRemovedForm } from "../responses/purge.ts"
import { checkedForm } from "./description.ts"
import { addForm, changeForm, type Form, findForm, markFormRemoved } from "./form.ts"

/** What an owner does with forms, by the API and the console alike. */

/**
 * Resolves to the id. Throws Refusal `invalid_request` with a sentence for every fault at once, by its path.
 */
export async function makeForm(
  { db, clock, mailer }: FormParts,
  workspaceId: string,
  body: Record<string, unknown>,
): Promise<string> {
  const projectId = typeof body["project"] === "string" ? body["project"] : ""
  const project = await findProject(db, projectId, workspaceId)
  const problems: Record<string, Detail> = project ? {} : { project: detail("forms.unknownProject") }
  const described = checkedForm(body, mailer.configured, problems)
  return addForm(db, projectId, described, clock.now())
}

/**
 * What the body does not mention stays, whatever somebody else changes at the same moment. Throws Refusal
 * `not_found` for a stranger's form, and as `makeForm` does.
 */
export async function alterForm(
  { db, mailer }: FormParts,
  workspaceId: string,
  id: string,
  body: Record<string, unknown>,
): Promise<Form> {
  return db.transaction().execute(async (transaction) => {
    const present = await findForm(transaction, workspaceId, id)
    if (!present) throw new Refusal("not_found", detail("forms.unknownForm"))
    const described = checkedForm(body, mailer.configured, {}, present)
    await changeForm(transaction, id, described)
    return { ...present, ...described }
  })
}

/**
 * With its responses. Nobody can post to it from the first moment on; cut short, the purge goes on with it.
 */
export async function removeForm(parts: FormParts, id: string): Promise<void> {
  await markFormRemoved(parts.db, id, parts.clock.now())
  await purgeRemovedForm(parts, id)
}
