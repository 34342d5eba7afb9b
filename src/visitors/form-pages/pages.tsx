/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import type { Form } from "../../forms/definition/form.ts"
import { sentences } from "../../forms/sentences.ts"
import { type Filled, FormMarkup } from "./markup.tsx"
import { page } from "./shell.tsx"

/** The form shown again, with what was typed and what is wrong with it. */
export function formAgainPage(form: Form, project: Project, filled: Filled, refusal: Refusal): Response {
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
        {refusal.sentence}
      </p>
      <FormMarkup form={form} filled={filled} />
    </>,
  )
  if (retryAfterSeconds !== undefined) reply.headers.set("retry-after", String(retryAfterSeconds))
  return reply
}

export function thanksPage(project: Project): Response {
  return page(
    { status: 200, title: sentences.thanksTitle, frames: project.origins },
    <>
      <p>{sentences.thanks}</p>
      <p>
        <a href={project.site}>{sentences.back}</a>
      </p>
    </>,
  )
}

/** At the address that a form is sent to: a browser gets there that calls it up again after the form was shown again. */
export function elsewherePage(project: Project): Response {
  return page(
    { status: 200, title: sentences.formTitle },
    <>
      <p>{sentences.elsewhere}</p>
      <p>
        <a href={project.site}>{sentences.back}</a>
      </p>
    </>,
  )
}

export function refusedPage(status: number, title: string, sentence: string): Response {
  return page({ status, title }, <p>{sentence}</p>)
}

/** One button: following a link must confirm nothing, because mail programs follow links by themselves. */
export function consentPage(formName: string, text: string): Response {
  return page(
    { status: 200, title: sentences.consentTitle, referrer: "no-referrer" },
    <>
      <p>{sentences.consentAsk(formName)}</p>
      <p class="quote">{text}</p>
      <form method="post">
        <button type="submit">{sentences.consentConfirm}</button>
      </form>
    </>,
  )
}

export function consentDonePage(): Response {
  return page(
    { status: 200, title: sentences.consentDoneTitle, referrer: "no-referrer" },
    <p>{sentences.consentDone}</p>,
  )
}

/** A link confirms once; a second click on its button comes here too. */
export function consentUsedPage(): Response {
  return page(
    { status: 410, title: sentences.consentDoneTitle, referrer: "no-referrer" },
    <p>{sentences.consentUsed}</p>,
  )
}

export function consentExpiredPage(): Response {
  return page(
    { status: 404, title: sentences.consentExpiredTitle, referrer: "no-referrer" },
    <p>{sentences.consentExpired}</p>,
  )
}
