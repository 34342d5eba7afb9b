import type { FormMails } from "../forms/parts.ts"
import { messages } from "./messages.fr.ts"

/**
 * Characters of what was typed that a mail shows: a response may hold 256 KB, and a thousand mails may wait.
 */
const mostShown = 20_000

export const formMails: FormMails = {
  confirmation: ({ form, text, link }) => ({
    subject: messages.consentMailSubject({ form }),
    text: messages.consentMail({ form, text, link }),
  }),
  notice: ({ form, link, values }) => ({
    subject: messages.ownerMailSubject({ form }),
    text: [messages.ownerMail({ form, link }), ...(values.length > 0 ? [shown(values)] : [])].join("\n"),
  }),
  gathered: ({ form, count, link }) => ({
    subject: messages.ownerMailGatheredSubject({ form, count }),
    text: messages.ownerMailGathered({ form, count, link }),
  }),
}

function shown(values: { label: string; value: string }[]): string {
  const typed = values
    .map(({ label, value }) => messages.ownerMailValue({ label, value: value || messages.emptyValue }))
    .join("\n")
  if (typed.length <= mostShown) return typed
  return `${typed.slice(0, mostShown).toWellFormed()}…\n\n${messages.ownerMailCut}\n`
}
