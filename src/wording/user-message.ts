import type { DetailParams, Told } from "../base/errors.ts"
import { messages as accounts } from "./accounts.fr.ts"
import { messages as assistant } from "./assistant.fr.ts"
import { messages as forms } from "./forms.fr.ts"
import { messages as mail } from "./mail.fr.ts"
import { messages as requests } from "./requests.fr.ts"
import { messages as webhooks } from "./webhooks.fr.ts"

type Message = string | ((params: never) => string)

/** Every message that a refusal may carry, by area and name. */
const areas: Record<string, Record<string, Message | object>> = {
  accounts,
  assistant,
  forms,
  mail,
  requests,
  webhooks,
}

/**
 * The French sentence of a detail, shown to people unchanged. A test checks that every code has a message.
 */
export function userMessage(told: Told): string {
  if (typeof told === "string") return told
  const { code, params = {} } = told
  const path = code.split(".")
  const message = path.reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], areas)
  if (typeof message === "string") return message
  if (typeof message === "function") return (message as (params: DetailParams) => string)(params)
  throw new Error(`no message for ${code}`)
}

/** The sentence of each field at fault. */
export function fieldMessages(fields: Readonly<Record<string, Told>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, detail]) => [name, userMessage(detail)]))
}
