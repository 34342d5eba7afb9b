import { Refusal } from "../../base/errors.ts"
import { readBody } from "../../http/body.ts"
import { fieldMessages, userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"

/**
 * What a form of the console holds: what was typed, and what is wrong with it. Empty on a page that is
 * opened.
 */
export interface Filled {
  values: URLSearchParams
  /** A sentence for each field at fault. */
  problems: Record<string, string>
  /** What is wrong as a whole. */
  problem: string | undefined
}

export const untouched: Filled = { values: new URLSearchParams(), problems: {}, problem: undefined }

const maxBodyBytes = 512 * 1024
/** The builder of forms sends some six for each of a hundred fields. */
const maxFields = 5000

/** Throws Refusal `invalid_request` when it is no form, or too large a one. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? ""
  const body = await readBody(request, maxBodyBytes).catch(() => undefined)
  if (!body || !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new Refusal("invalid_request", messages.unreadable)
  return valuesIn(new TextDecoder().decode(body))
}

/**
 * What an urlencoded text holds. Throws Refusal `invalid_request` for more fields than a form of ours has.
 */
export function valuesIn(text: string): URLSearchParams {
  if (text.split("&", maxFields + 1).length > maxFields)
    throw new Refusal("invalid_request", messages.unreadable)
  // What cannot be stored and given back unchanged is not kept.
  return new URLSearchParams(text.replace(/%00/g, ""))
}

/** What was typed, with what a refusal says about it. */
export function refused(values: URLSearchParams, { detail, fields = {} }: Refusal): Filled {
  return { values, problems: fieldMessages(fields), problem: userMessage(detail) }
}

/** Of a page with several forms, what the one that has this field holds. */
export function ofForm(filled: Filled, field: string): Filled {
  return filled.values.has(field) ? filled : untouched
}
