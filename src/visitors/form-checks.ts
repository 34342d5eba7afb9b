import type { Project } from "../accounts/project.ts"
import type { Assistant } from "../answering/ask/ask.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import type { FormDeps } from "../forms/deps.ts"
import { senderPage } from "../forms/submission/page.ts"
import type { RequestContext } from "../http/routes.ts"
import { findFormAndProject } from "./form-posts.ts"
import { asProjectContactForm, messageChecks } from "./message-check.ts"

/**
 * `/f/…/answer` and `/f/…/solved`: what the documentation says to a message before it is sent, for pages that may
 * send the form by which visitors write to the owner. Any other form has no such address.
 */
export function formCheckHandlers(deps: FormDeps & { assistant: Assistant }) {
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

  return {
    answer: async ({ request, params }: RequestContext<"publicId">) =>
      checks.answer(request, await projectOfSender(request, params.publicId)),
    solved: async ({ request, params }: RequestContext<"publicId">) =>
      checks.solved(await projectOfSender(request, params.publicId)),
  }
}
