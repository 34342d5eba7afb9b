import { Elysia } from "elysia"
import type { Project } from "../accounts/project.ts"
import { countOffered, countSolved } from "../accounts/widget/contact-count.ts"
import { findWidgetSettings, noteWidgetSeen } from "../accounts/widget/settings.ts"
import { requireAskedProject, requireDeclaredOrigin } from "../assistant/ask/admit.ts"
import type { Assistant } from "../assistant/ask/ask.ts"
import { checkMessage } from "../assistant/ask/check.ts"
import { textColorOn } from "../base/color.ts"
import { detail, Refusal } from "../base/errors.ts"
import { type ContactForm, findContactForm } from "../forms/definition/contact.ts"
import type { FormDeps } from "../forms/deps.ts"
import { timingToken } from "../forms/submission/timing-token.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf } from "../http/fields.ts"
import { operation } from "../http/operation.ts"
import { isFromDeclaredPage } from "./page-origin.ts"
import { checkedMessage, contactForm, messageAnswer, shownWidget } from "./schemas.ts"

/** Whatever is longer is cut, so that a long message is no error. */
const maxMessageBytes = 32 * 1024

interface WidgetDeps extends FormDeps {
  assistant: Assistant
}

/**
 * Everything that the widget asks for on a page: how it looks, the form by which visitors write to the site's
 * owner, and what the documentation says to a message before it is sent.
 */
export function widgetRoutes(deps: WidgetDeps) {
  const { db, assistant, clock, config, vault } = deps
  const clientOf = clientReader(config.trustedProxies)

  /** Throws Refusal `project_not_found` or `origin_not_allowed`. */
  async function projectOfPage(request: Request, id: string): Promise<Project> {
    const project = await requireAskedProject(assistant, id)
    if (request.method !== "GET") requireDeclaredOrigin(project, request.headers.get("origin"))
    else if (!isFromDeclaredPage(request, project.origins, config.publicUrl))
      throw new Refusal("origin_not_allowed", detail("assistant.originNotAllowed"))
    return project
  }

  async function contactOf(project: Project): Promise<ContactForm | undefined> {
    const { settings } = await findWidgetSettings(db, project.id)
    return findContactForm(db, project.id, settings.contact)
  }

  return new Elysia({ name: "widget", prefix: "/api/v1/projects/:id" })
    .get(
      "/widget",
      async ({ request, params }) => {
        const { id } = await projectOfPage(request, params.id)
        const { settings, seenAt } = await findWidgetSettings(db, id)
        await noteWidgetSeen(assistant.relaxed, id, seenAt, clock.now())
        const { contact, color, ...shown } = settings
        const look = {
          ...shown,
          color,
          text_color: color && textColorOn(color),
          contact: (await findContactForm(db, id, contact)) !== undefined,
        }
        return Response.json(look, { headers: { "cache-control": `private, max-age=${maxAgeSeconds}` } })
      },
      operation({
        answers: { 200: shownWidget },
        refuses: [403],
      }),
    )
    .get(
      "/contact",
      async ({ request, params }) => {
        const project = await projectOfPage(request, params.id)
        const contact = await contactOf(project)
        if (!contact) throw new Refusal("not_found", detail("forms.noContactForm"))
        const { form, field } = contact
        const shown = {
          form: form.publicId,
          html: deps.formPreview(form),
          field: field?.name ?? null,
          started: timingToken(vault, form.id, clock.now()),
        }
        return Response.json(shown, { headers: noStore })
      },
      operation({
        answers: { 200: contactForm },
        refuses: [403],
      }),
    )
    .post(
      "/contact/answer",
      async ({ request, params }) => {
        const { text } = await bodyOf(request, maxMessageBytes, checkedMessage)
        const project = await projectOfPage(request, params.id)
        if (!(await contactOf(project))) throw new Refusal("not_found", detail("forms.noContactForm"))
        extendReplyTimeout(request, assistant.answerTimeoutMs)
        const found = await checkMessage(assistant, project, text, clientOf(request), request.signal)
        if (found) await countOffered(assistant.relaxed, project.id, config.timezone, clock.now())
        const reply = found
          ? { status: "answered", ...found }
          : { status: "no_answer", answer: "", sources: [] }
        return Response.json(reply, { headers: noStore })
      },
      operation({
        body: checkedMessage,
        answers: { 200: messageAnswer },
        refuses: [403, 429],
      }),
    )
    .post(
      "/contact/solved",
      async ({ request, params }) => {
        const { id } = await projectOfPage(request, params.id)
        await countSolved(assistant.relaxed, id, config.timezone, clock.now())
        return new Response(null, { status: 204 })
      },
      operation({
        answers: { 204: null },
        refuses: [403],
      }),
    )
}

/** A change of the look reaches every page within this time, and a visitor's next page asks nobody meanwhile. */
const maxAgeSeconds = 60
const noStore = { "cache-control": "no-store" }
