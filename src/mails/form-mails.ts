import { frenchDates } from "../base/time.ts"
import type { FormMails, MailedValue } from "../forms/deps.ts"
import { type Block, renderMail } from "./template.tsx"
import { words } from "./words.fr.ts"

/** Characters of a response that a mail shows: a response may hold 256 KB, and a thousand mails may wait. */
const maxShownCharacters = 20_000

export const formMails: FormMails = {
  confirmation: ({ site, form, text: consent, link, isReceipt }) =>
    renderMail({
      site,
      subject: words.consentMailSubject({ form }),
      blocks: [
        ...(isReceipt ? [text(words.received({ form, site: site.name }))] : []),
        text(isReceipt ? words.consentMailAlso : words.consentMail({ form, site: site.name })),
        { kind: "quote", text: consent },
        text(words.consentMailAsk),
        { kind: "link", label: words.consentMailLink, url: link },
        text(words.consentMailValid),
      ],
      footer: words.visitorFooter({ site: site.name }),
    }),
  notice: ({ site, form, link, values, canReply }) =>
    renderMail({
      site,
      subject: words.ownerMailSubject({ form, site: site.name }),
      blocks: [
        text(words.ownerMail({ form })),
        ...(values.length > 0 ? shown(values) : []),
        { kind: "link", label: words.ownerMailLink, url: link },
        ...(canReply ? [text(words.ownerMailReply)] : []),
      ],
      footer: words.ownerFooter({ site: site.name }),
    }),
  noticeAddress: ({ site, form, link }) =>
    renderMail({
      site,
      subject: words.noticeAddressSubject({ form }),
      blocks: [
        text(words.noticeAddress({ form, site: site.name })),
        { kind: "link", label: words.noticeAddressLink, url: link },
        text(words.noticeAddressValid),
      ],
      footer: words.ownerFooter({ site: site.name }),
    }),
  digest: ({ site, form, count, link }) =>
    renderMail({
      site,
      subject: words.ownerMailGatheredSubject({ form, count, site: site.name }),
      blocks: [
        text(words.ownerMailGathered({ form, count })),
        { kind: "link", label: words.ownerMailLinks, url: link },
      ],
      footer: words.ownerFooter({ site: site.name }),
    }),
  receipt: ({ site, form, thanks, at, timezone }) => {
    const date = frenchDates({ timeZone: timezone, dateStyle: "long", timeStyle: "short" })
    return renderMail({
      site,
      subject: words.receiptSubject({ site: site.name }),
      blocks: [
        text(words.received({ form, site: site.name })),
        ...(thanks === null ? [] : [text(thanks)]),
        text(words.receiptAt({ at: date(at) })),
      ],
      footer: words.visitorFooter({ site: site.name }),
    })
  },
}

function text(text: string): Block {
  return { kind: "text", text }
}

function shown(values: MailedValue[]): Block[] {
  const fitting: typeof values = []
  let left = maxShownCharacters
  for (const { label, value, links } of values) {
    if (left <= 0) break
    const cut = value.length > left ? `${value.slice(0, left).toWellFormed()}…` : value
    fitting.push({ label, value: cut || (links.length > 0 ? "" : words.emptyValue), links })
    left -= label.length + value.length
  }
  const block: Block = { kind: "values", values: fitting }
  return left < 0 ? [block, text(words.ownerMailCut)] : [block]
}
