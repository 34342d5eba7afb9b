import type { Explanation } from "../base/errors.ts"
import { messages as accounts } from "./accounts.fr.ts"
import { messages as assistant } from "./assistant.fr.ts"
import { messages as checks } from "./checks.fr.ts"
import { messages as forms } from "./forms.fr.ts"
import { messages as mail } from "./mail.fr.ts"
import { messages as reading } from "./reading.fr.ts"
import { messages as requests } from "./requests.fr.ts"
import { messages as tls } from "./tls/tls.fr.ts"
import { messages as webhooks } from "./webhooks.fr.ts"
import { wordingOf } from "./wording.ts"

/**
 * The French sentence of a detail, shown to people unchanged. A test checks that every code has a message.
 */
export const userMessage = wordingOf({
  accounts,
  assistant,
  checks,
  forms,
  mail,
  reading,
  requests,
  tls,
  webhooks,
})

/** The sentence of each field at fault. */
export function fieldMessages(fields: Readonly<Record<string, Explanation>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, detail]) => [name, userMessage(detail)]))
}
