import type { Project } from "../accounts/project.ts"
import { findWidgetSettings, noteWidgetSeen } from "../accounts/widget/settings.ts"
import { requireAskedProject, requireDeclaredOrigin } from "../answering/ask/admit.ts"
import type { Assistant } from "../answering/ask/ask.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import { type ContactForm, findContactForm } from "../forms/definition/contact.ts"
import type { FormDeps } from "../forms/deps.ts"
import { whyClosedNow } from "../forms/submission/opening.ts"
import { formAddress } from "../forms/submission/page.ts"
import { startedAt, timingToken } from "../forms/submission/timing-token.ts"
import { described, type RequestContext } from "../http/routes.ts"
import { widgetLook } from "../wording/assistant.fr.ts"
import { unsendableForm } from "./form-pages/html.tsx"
import { findProjectContactForm, messageChecks } from "./message-check.ts"
import { isFromDeclaredPage } from "./page-origin.ts"
import { checkedMessage, contactForm, contactQuery, messageAnswer, shownWidget } from "./schemas.ts"

/**
 * Everything that the widget asks for on a page: how it looks, the form by which visitors write to the site's
 * owner, and what the documentation says to a message before it is sent.
 */
export function widgetHandlers(deps: FormDeps & { assistant: Assistant }) {
  const { db, assistant, clock, config, vault } = deps
  const checks = messageChecks(deps)

  /** Throws Refusal `project_not_found` or `origin_not_allowed`. */
  async function projectOfPage(request: Request, id: string): Promise<Project> {
    const project = await requireAskedProject(assistant, id)
    if (request.method !== "GET") requireDeclaredOrigin(project, request.headers.get("origin"))
    else if (!isFromDeclaredPage(request, project.origins, config.publicUrl))
      throw new Refusal("origin_not_allowed", detail("assistant.originNotAllowed"))
    return project
  }

  /** The contact form, unless it takes no responses now. */
  async function openContactForm(
    id: string,
    contact: Parameters<typeof findContactForm>[2],
  ): Promise<ContactForm | undefined> {
    const candidate = await findContactForm(db, id, contact)
    const at = { timezone: config.timezone, nowMs: clock.now() }
    return candidate && !(await whyClosedNow(db, candidate.form, at)) ? candidate : undefined
  }

  async function contactOfPage(
    request: Request,
    id: string,
  ): Promise<{ project: Project; contact: ContactForm }> {
    const project = await projectOfPage(request, id)
    const contact = required(await findProjectContactForm(db, project.id), detail("forms.noContactForm"))
    return { project, contact }
  }

  return {
    look: described(
      {
        answers: { 200: shownWidget },
        refuses: [403],
      },
      async ({ request, params }: RequestContext<"id">) => {
        const project = await projectOfPage(request, params.id)
        const { id } = project
        const { settings, seenAt } = await findWidgetSettings(db, id)
        await noteWidgetSeen(assistant.relaxed, id, seenAt, clock.now())
        const openForm = await openContactForm(id, settings.contact)
        const look = {
          ...widgetLook(project, settings),
          contact: openForm !== undefined,
          ...(openForm && { started: timingToken(vault, openForm.form.id, clock.now()) }),
        }
        return Response.json(look, { headers: { "cache-control": `private, max-age=${maxAgeSeconds}` } })
      },
    ),
    contact: described(
      {
        query: contactQuery,
        answers: { 200: contactForm },
        refuses: [403],
      },
      async ({ request, params, query }: RequestContext<"id">) => {
        const { form, field } = (await contactOfPage(request, params.id)).contact
        // The question is filled in, so that sending it may take a second: the visitor began with the widget's page.
        // The owner may have chosen another form since then.
        const sinceMs = startedAt(vault, form.id, query["started"] ?? "") ?? clock.now()
        // A page may name an older version of the script for good, which would send the form in vain.
        const canSend = !form.proofOfWork || query["proves"] === "yes"
        const reply = {
          form: form.publicId,
          html: canSend
            ? deps.formPreview(form, config.timezone)
            : unsendableForm(form, formAddress(config.publicUrl, form)),
          field: field?.name ?? null,
          started: timingToken(vault, form.id, sinceMs),
        }
        return Response.json(reply, { headers: noStore })
      },
    ),
    answer: described(
      {
        body: checkedMessage,
        answers: { 200: messageAnswer },
        refuses: [403, 429],
      },
      async ({ request, params }: RequestContext<"id">) =>
        checks.answer(request, (await contactOfPage(request, params.id)).project),
    ),
    solved: described(
      {
        answers: { 204: null },
        refuses: [403],
      },
      async ({ request, params }: RequestContext<"id">) =>
        checks.solved(await projectOfPage(request, params.id)),
    ),
  }
}

/** A change of the look reaches every page within this time, and a visitor's next page asks no server meanwhile. */
const maxAgeSeconds = 60
const noStore = { "cache-control": "no-store" }
