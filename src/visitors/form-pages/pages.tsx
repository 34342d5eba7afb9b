/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import type { Form } from "../../forms/definition/form.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages.fr.ts"
import { FormMarkup, type FormState } from "./markup.tsx"
import { page } from "./shell.tsx"

/** The form shown again, with what was typed and the problems with it. */
export function formRetryPage(form: Form, project: Project, state: FormState, refusal: Refusal): Response {
  const { retryAfterSeconds } = refusal
  const reply = page(
    {
      status: statusOfCode[refusal.code],
      title: form.name,
      leadsAway: form.redirectUrl !== null,
      frames: project.origins,
    },
    <>
      <p role="alert" class="wrong">
        {userMessage(refusal.detail)}
      </p>
      <FormMarkup form={form} state={state} />
    </>,
  )
  if (retryAfterSeconds !== undefined) reply.headers.set("retry-after", String(retryAfterSeconds))
  return reply
}

export function thanksPage(project: Project): Response {
  return page(
    { status: 200, title: messages.thanksTitle, frames: project.origins },
    <>
      <p>{messages.thanks}</p>
      <p>
        <a href={project.site}>{messages.back}</a>
      </p>
    </>,
  )
}

/** The page at the address that a form posts to. A browser that reloads a form shown again may request it. */
export function elsewherePage(project: Project): Response {
  return page(
    { status: 200, title: messages.formTitle },
    <>
      <p>{messages.elsewhere}</p>
      <p>
        <a href={project.site}>{messages.back}</a>
      </p>
    </>,
  )
}

export function refusedPage(status: number, title: string, sentence: string): Response {
  return page({ status, title }, <p>{sentence}</p>)
}

/**
 * Following a link must confirm nothing, because mail programs follow links by themselves: only the button
 * does.
 */
export function consentPage(formName: string, text: string): Response {
  return page(
    { status: 200, title: messages.consentTitle, referrer: "no-referrer" },
    <>
      <p>{messages.consentAsk({ form: formName })}</p>
      <p class="quote">{text}</p>
      <form method="post">
        <button type="submit">{messages.consentConfirm}</button>
      </form>
    </>,
  )
}

export function consentDonePage(): Response {
  return page(
    { status: 200, title: messages.consentDoneTitle, referrer: "no-referrer" },
    <p>{messages.consentDone}</p>,
  )
}

/** A link confirms once; a second click on its button leads here too. */
export function consentUsedPage(): Response {
  return page(
    { status: 410, title: messages.consentDoneTitle, referrer: "no-referrer" },
    <p>{messages.consentUsed}</p>,
  )
}

export function consentExpiredPage(): Response {
  return page(
    { status: 404, title: messages.consentExpiredTitle, referrer: "no-referrer" },
    <p>{messages.consentExpired}</p>,
  )
}
