import { type Explanation, Refusal, statusOfCode } from "../../../base/errors.ts"
import { readBody } from "../../../http/body.ts"
import { extendReplyTimeout } from "../../../http/extend-timeout.ts"
import { fieldSentences, userMessage } from "../../../wording/user-message.ts"
import { words } from "../words.fr.ts"

/** The submitted values of a form and their problems. Both are empty on a page that was just opened. */
export interface SubmittedForm {
  values: URLSearchParams
  problems: Record<string, string>
  problem: string | undefined
  status: number
}

export const untouched: SubmittedForm = {
  values: new URLSearchParams(),
  problems: {},
  problem: undefined,
  status: 200,
}

const maxBodyBytes = 512 * 1024
/** The form builder sends about six values for each of at most a hundred fields. */
const maxFields = 5000

/** Throws Refusal `invalid_request` if the body is not an urlencoded form, or is too large. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? ""
  const body = await readBody(request, maxBodyBytes).catch(() => undefined)
  if (!body || !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new Refusal("invalid_request", words.unreadable)
  const form = parseUrlencoded(new TextDecoder().decode(body))
  // It waits in a line for its hash, longer than a silent connection is kept on a busy machine.
  if (form.has("password") || form.has("present_password")) extendReplyTimeout(request)
  return form
}

/** Parses an urlencoded text. Throws Refusal `invalid_request` if it has more than `maxFields` fields. */
export function parseUrlencoded(text: string): URLSearchParams {
  if (text.split("&", maxFields + 1).length > maxFields)
    throw new Refusal("invalid_request", words.unreadable)
  // NUL characters are dropped: they cannot be stored and read back unchanged.
  return new URLSearchParams(text.replace(/%00/g, ""))
}

/** The submitted values with the problems that a refusal reports. */
export function refused(values: URLSearchParams, { code, detail, fields = {} }: Refusal): SubmittedForm {
  const problems = fieldSentences(fields)
  for (const [name, told] of Object.entries(fields))
    if (isWholeOrNull(told)) problems[name] = words.wholeOrNothing
  return {
    values,
    problems,
    problem: userMessage(detail),
    status: statusOfCode[code],
  }
}

/** A form leaves empty what a request gives as null. */
function isWholeOrNull(told: Explanation): boolean {
  return typeof told === "object" && told.code === "requests.wholeOrNull"
}
