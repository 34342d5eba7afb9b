import type { Explanation } from "../base/errors.ts"
import { words as accounts } from "./accounts.fr.ts"
import { words as assistant } from "./assistant.fr.ts"
import { words as checks } from "./checks.fr.ts"
import { words as forms } from "./forms.fr.ts"
import { words as mail } from "./mail.fr.ts"
import { words as reading } from "./reading.fr.ts"
import { words as requests } from "./requests.fr.ts"
import { words as storage } from "./storage.fr.ts"
import { words as tls } from "./tls/tls.fr.ts"
import { words as webhooks } from "./webhooks.fr.ts"
import { wordingOf } from "./wording.ts"

/** A test checks that every code has a sentence. */
export const userMessage = wordingOf({
  accounts,
  assistant,
  checks,
  forms,
  mail,
  reading,
  requests,
  storage,
  tls,
  webhooks,
})

/** The sentence of each field at fault. */
export function fieldSentences(
  fields: Readonly<Record<string, Explanation>>,
  inWords = userMessage,
): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, detail]) => [name, inWords(detail)]))
}
