import type { ComponentChildren } from "preact"
import type { Language } from "../../accounts/project.ts"
import { languages } from "../../accounts/projects/record.ts"
import { acceptedLanguage } from "../../http/reply-language.ts"
import { words } from "../words.fr.ts"
import type { FormView } from "./form-view.ts"
import { BackToSite } from "./pages.tsx"
import { type PageOptions, page } from "./shell.tsx"

// The pages of links in mails. The address of each is its secret, which no other site is told.

/**
 * Following a link must confirm nothing, because mail programs follow links by themselves: only the button
 * does.
 */
export function consentPage(view: FormView, text: string): Response {
  return linkPage({ status: 200, title: words.consentTitle, view }, [
    <p>{words.consentAsk({ form: view.form.name })}</p>,
    <p class="quote">{text}</p>,
    <Confirm label={words.consentConfirm} />,
  ])
}

export function consentDonePage(view: FormView): Response {
  return linkPage({ status: 200, title: words.consentDoneTitle, view }, <p>{words.consentDone}</p>)
}

/** A link confirms once; a second click on its button leads here too. */
export function consentUsedPage(view: FormView): Response {
  return linkPage({ status: 410, title: words.consentDoneTitle, view }, <p>{words.consentUsed}</p>)
}

/** Names no form, and speaks the reader's language: the form of an expired link is no longer known. */
export function expiredPage(request: Request, sentence: Record<Language, string>): Response {
  const lang = acceptedLanguage(request, languages) ?? "fr"
  const reply = linkPage({ status: 404, lang, title: words.expired.title[lang] }, <p>{sentence[lang]}</p>)
  reply.headers.set("vary", "accept-language")
  return reply
}

export function noticePage(view: FormView): Response {
  const { form } = view
  return linkPage({ status: 200, title: words.noticeTitle, view }, [
    <p>{words.noticeAsk({ form: form.name, site: form.site.name })}</p>,
    <Confirm label={words.noticeConfirm} />,
  ])
}

export function noticeDonePage(view: FormView): Response {
  return linkPage({ status: 200, title: words.noticeDoneTitle, view }, <p>{words.noticeDone}</p>)
}

function Confirm({ label }: { label: string }) {
  return (
    <form method="post" class="guichet-form">
      <p>
        <button type="submit">{label}</button>
      </p>
    </form>
  )
}

function linkPage(
  { view, ...options }: Pick<PageOptions, "status" | "title" | "lang"> & { view?: FormView },
  body: ComponentChildren,
): Response {
  const look = view && { site: view.form.site, style: view.style, logo: view.logo }
  return page(
    { ...options, ...look, referrer: "no-referrer" },
    <>
      {body}
      {view && <BackToSite form={view.form} />}
    </>,
  )
}
