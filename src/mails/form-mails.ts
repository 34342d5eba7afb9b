import type { FormMails } from "../forms/deps.ts"
import { messages } from "./messages.fr.ts"

/** Characters of a response that a mail shows: a response may hold 256 KB, and a thousand mails may wait. */
const maxShownCharacters = 20_000

export const formMails: FormMails = {
  confirmation: ({ form, text, link }) => ({
    subject: messages.consentMailSubject({ form }),
    text: messages.consentMail({ form, text, link }),
  }),
  notice: ({ form, link, values }) => ({
    subject: messages.ownerMailSubject({ form }),
    text: [messages.ownerMail({ form, link }), ...(values.length > 0 ? [shown(values)] : [])].join("\n"),
  }),
  digest: ({ form, count, link }) => ({
    subject: messages.ownerMailGatheredSubject({ form, count }),
    text: messages.ownerMailGathered({ form, count, link }),
  }),
}

function shown(values: { label: string; value: string }[]): string {
  const typed = values
    .map(({ label, value }) => messages.ownerMailValue({ label, value: value || messages.emptyValue }))
    .join("\n")
  if (typed.length <= maxShownCharacters) return typed
  return `${typed.slice(0, maxShownCharacters).toWellFormed()}…\n\n${messages.ownerMailCut}\n`
}
