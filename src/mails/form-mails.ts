import { frenchDates } from "../base/time.ts"
import type { FormMails } from "../forms/deps.ts"
import { messages } from "./messages.fr.ts"
import { type Block, mailOf } from "./template.tsx"

/** Characters of a response that a mail shows: a response may hold 256 KB, and a thousand mails may wait. */
const maxShownCharacters = 20_000

export const formMails: FormMails = {
  confirmation: ({ site, form, text: consent, link, isReceipt }) =>
    mailOf({
      site,
      subject: messages.consentMailSubject({ form }),
      blocks: [
        ...(isReceipt ? [text(messages.received({ form, site: site.name }))] : []),
        text(isReceipt ? messages.consentMailAlso : messages.consentMail({ form, site: site.name })),
        { kind: "quote", text: consent },
        text(messages.consentMailAsk),
        { kind: "link", label: messages.consentMailLink, url: link },
        text(messages.consentMailValid),
      ],
      footer: messages.visitorFooter({ site: site.name }),
    }),
  notice: ({ site, form, link, values, canReply }) =>
    mailOf({
      site,
      subject: messages.ownerMailSubject({ form, site: site.name }),
      blocks: [
        text(messages.ownerMail({ form })),
        ...(values.length > 0 ? shown(values) : []),
        { kind: "link", label: messages.ownerMailLink, url: link },
        ...(canReply ? [text(messages.ownerMailReply)] : []),
      ],
      footer: messages.ownerFooter({ site: site.name }),
    }),
  digest: ({ site, form, count, link }) =>
    mailOf({
      site,
      subject: messages.ownerMailGatheredSubject({ form, count, site: site.name }),
      blocks: [
        text(messages.ownerMailGathered({ form, count })),
        { kind: "link", label: messages.ownerMailLinks, url: link },
      ],
      footer: messages.ownerFooter({ site: site.name }),
    }),
  receipt: ({ site, form, thanks, at, timezone }) => {
    const date = frenchDates({ timeZone: timezone, dateStyle: "long", timeStyle: "short" })
    return mailOf({
      site,
      subject: messages.receiptSubject({ site: site.name }),
      blocks: [
        text(messages.received({ form, site: site.name })),
        ...(thanks === null ? [] : [text(thanks)]),
        text(messages.receiptAt({ at: date(at) })),
      ],
      footer: messages.visitorFooter({ site: site.name }),
    })
  },
}

function text(text: string): Block {
  return { kind: "text", text }
}

function shown(values: { label: string; value: string }[]): Block[] {
  const fitting: typeof values = []
  let left = maxShownCharacters
  for (const { label, value } of values) {
    if (left <= 0) break
    const cut = value.length > left ? `${value.slice(0, left).toWellFormed()}…` : value
    fitting.push({ label, value: cut || messages.emptyValue })
    left -= label.length + value.length
  }
  const block: Block = { kind: "values", values: fitting }
  return left < 0 ? [block, text(messages.ownerMailCut)] : [block]
}
