import type { Explanation, Refusal } from "../base/errors.ts"
import { words as accounts } from "./english/accounts.en.ts"
import { words as assistant } from "./english/assistant.en.ts"
import { words as checks } from "./english/checks.en.ts"
import { words as forms } from "./english/forms.en.ts"
import { words as mail } from "./english/mail.en.ts"
import { words as reading } from "./english/reading.en.ts"
import { words as requests } from "./english/requests.en.ts"
import { words as storage } from "./english/storage.en.ts"
import { words as webhooks } from "./english/webhooks.en.ts"
import { words as tls } from "./tls/tls.en.ts"
import { wordingOf } from "./wording.ts"

/** Why something is refused, by the code of its detail. */
export const refusals = { accounts, assistant, forms, mail, requests, storage, webhooks }

/** Without a capital and a full stop. A test checks that every code has some. */
export const inEnglish = wordingOf({ ...refusals, checks, reading, tls })

/** The same as a sentence, for callers of the management API who ask for English. */
export function englishMessage(told: Explanation): string {
  const words = inEnglish(told)
  // A name that begins them, such as an address or a setting, stays as it is written.
  const sentence = words.replace(/^[a-z]+(?=[ :,'])/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Commands that help, by the code of a refusal. */
const hints: Record<string, (params: { project?: unknown }) => string> = {
  "accounts.emailTaken": () => "guichet operator password changes its password",
  "accounts.memberExists": () => "guichet operator password changes its password",
  "accounts.unknownProject": () => "guichet project list shows those there are",
  "accounts.unknownToken": () => "guichet token list shows those there are",
  "accounts.unknownWorkspace": () => "guichet workspace list shows those there are",
  "assistant.feedNotFound": ({ project }) => `guichet feed list ${project} shows those there are`,
}

/** Why something was refused, for the command line and the log: what is wrong with each field, or as a whole. */
export function englishReason({ reason, detail, fields = {} }: Refusal): string {
  const wrong = Object.entries(fields).map(([field, told]) => fieldFault(field, told))
  return reason === detail && wrong.length > 0 ? [...new Set(wrong)].join("; ") : withHint(reason)
}

/** The words of the area `requests` hold for any field and name none. The sentence of a face is in French. */
function fieldFault(field: string, told: Explanation): string {
  if (typeof told === "string") return `not a right value: ${field}`
  return told.code.startsWith("requests.") ? `${field}: ${inEnglish(told)}` : withHint(told)
}

function withHint(told: Explanation): string {
  const hint = typeof told === "object" && hints[told.code]?.(told.params ?? {})
  return hint ? `${inEnglish(told)}: ${hint}` : inEnglish(told)
}
