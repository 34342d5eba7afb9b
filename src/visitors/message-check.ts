import type { Project } from "../accounts/project.ts"
import { countOffered, countSolved } from "../accounts/widget/contact-count.ts"
import { findWidgetSettings } from "../accounts/widget/settings.ts"
import type { Assistant } from "../answering/ask/ask.ts"
import { checkMessage } from "../answering/ask/check.ts"
import type { Db } from "../db/connection.ts"
import { asContactForm, type ContactForm, findContactForm } from "../forms/definition/contact.ts"
import type { Form } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf } from "../http/record/fields.ts"
import { checkedMessage } from "./schemas.ts"
import { withTextFragments } from "./text-fragments.ts"

/** Whatever is longer is cut, so that a long message is no error. */
const maxMessageBytes = 32 * 1024

/** The form by which visitors write to a project's owner, if the owner has chosen one. */
export async function findProjectContactForm(db: Db, projectId: string): Promise<ContactForm | undefined> {
  const { settings } = await findWidgetSettings(db, projectId)
  return findContactForm(db, projectId, settings.contact)
}

/** A form that was read already, if it is that form of its project. */
export async function asProjectContactForm(db: Db, form: Form): Promise<ContactForm | undefined> {
  const { settings } = await findWidgetSettings(db, form.projectId)
  return asContactForm(form, settings.contact)
}

/** Replies to a page that is about to send a message to a project's owner, and that may do so. */
export function messageChecks(deps: Pick<FormDeps, "clock" | "config"> & { assistant: Assistant }) {
  const { assistant, clock, config } = deps
  const clientAddress = clientReader(config.trustedProxies)
  return {
    async answer(request: Request, project: Project): Promise<Response> {
      const { text } = await bodyOf(request, maxMessageBytes, checkedMessage)
      extendReplyTimeout(request, assistant.answerTimeoutMs)
      const suggestion = await checkMessage(assistant, project, text, clientAddress(request), request.signal)
      if (suggestion) await countOffered(assistant.relaxed, project.id, config.timezone, clock.now())
      const { isQuoted, ...found } = suggestion ?? { answer: "", sources: [], isQuoted: false }
      const reply = {
        status: suggestion ? "answered" : "no_answer",
        ...(isQuoted ? withTextFragments(found) : found),
      }
      return Response.json(reply, { headers: { "cache-control": "no-store" } })
    },
    /** The message need not be sent any more. */
    async solved({ id }: Project): Promise<Response> {
      await countSolved(assistant.relaxed, id, config.timezone, clock.now())
      return new Response(null, { status: 204 })
    },
  }
}
