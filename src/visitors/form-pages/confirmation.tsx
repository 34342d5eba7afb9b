import type { ComponentChildren } from "preact"
import { words } from "../words.fr.ts"
import { BackToSite } from "./pages.tsx"
import { page } from "./shell.tsx"
import type { Shown } from "./shown.ts"

// The pages of links in mails. The address of each is its secret, which no other site is told.

/**
 * Following a link must confirm nothing, because mail programs follow links by themselves: only the button
 * does.
 */
export function consentPage(shown: Shown, text: string): Response {
  return linkPage({ status: 200, title: words.consentTitle, shown }, [
    <p>{words.consentAsk({ form: shown.form.name })}</p>,
    <p class="quote">{text}</p>,
    <Confirm label={words.consentConfirm} />,
  ])
}

export function consentDonePage(shown: Shown): Response {
  return linkPage({ status: 200, title: words.consentDoneTitle, shown }, <p>{words.consentDone}</p>)
}

/** A link confirms once; a second click on its button leads here too. */
export function consentUsedPage(shown: Shown): Response {
  return linkPage({ status: 410, title: words.consentDoneTitle, shown }, <p>{words.consentUsed}</p>)
}

/** Of which form it was is no longer known. */
export function consentExpiredPage(): Response {
  return linkPage({ status: 404, title: words.consentExpiredTitle }, <p>{words.consentExpired}</p>)
}

export function noticePage(shown: Shown): Response {
  const { form } = shown
  return linkPage({ status: 200, title: words.noticeTitle, shown }, [
    <p>{words.noticeAsk({ form: form.name, site: form.site.name })}</p>,
    <Confirm label={words.noticeConfirm} />,
  ])
}

export function noticeDonePage(shown: Shown): Response {
  return linkPage({ status: 200, title: words.noticeDoneTitle, shown }, <p>{words.noticeDone}</p>)
}

export function noticeExpiredPage(): Response {
  return linkPage({ status: 404, title: words.consentExpiredTitle }, <p>{words.noticeExpired}</p>)
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
  { shown, ...options }: { status: number; title: string; shown?: Shown },
  body: ComponentChildren,
): Response {
  const look = shown && { site: shown.form.site, style: shown.style, logo: shown.logo }
  return page(
    { ...options, ...look, referrer: "no-referrer" },
    <>
      {body}
      {shown && <BackToSite form={shown.form} />}
    </>,
  )
}
