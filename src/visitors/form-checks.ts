import { Elysia } from "elysia"
import type { Project } from "../accounts/project.ts"
import type { Assistant } from "../answering/ask/ask.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import type { FormDeps } from "../forms/deps.ts"
import { senderPage } from "../forms/submission/page.ts"
import { findFormAndProject } from "./form-posts.ts"
import { asProjectContactForm, messageChecks } from "./message-check.ts"

/**
 * `/f/…/answer` and `/f/…/solved`: what the documentation says to a message before it is sent, for pages that may
 * send the form by which visitors write to the owner. Any other form has no such address.
 */
export function formCheckRoutes(deps: FormDeps & { assistant: Assistant }) {
  const { db } = deps
  const checks = messageChecks(deps)

  /** Throws Refusal `not_found` or `origin_not_allowed`. */
  async function projectOfSender(request: Request, publicId: string): Promise<Project> {
    const { form, project } = await findFormAndProject(db, publicId)
    const origin = request.headers.get("origin")
    const sender = { origin, page: undefined, referer: null, again: undefined, site: undefined }
    if (senderPage(deps, form, sender, project.origins) === undefined)
      throw new Refusal("origin_not_allowed", detail("forms.originNotAllowed"))
    required(await asProjectContactForm(db, form), detail("forms.noContactForm"))
    return project
  }

  return new Elysia({ name: "form-checks" })
    .post(
      "/f/:publicId/answer",
      async ({ request, params }) => checks.answer(request, await projectOfSender(request, params.publicId)),
      { parse: "none" },
    )
    .post(
      "/f/:publicId/solved",
      async ({ request, params }) => checks.solved(await projectOfSender(request, params.publicId)),
      { parse: "none" },
    )
}
