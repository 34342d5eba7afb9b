import type { formWords } from "../words.fr.ts"

export interface SentReply {
  redirectUrl: string | undefined
  thanks: string | undefined
  /** A sentence about anything still to be done. */
  more: string | undefined
}

export interface RefusedReply {
  sentence: string
  fields?: Record<string, string> | undefined
}

/** Files on a slow connection take their time; a form that stands still is sent again by its visitor. */
const timeoutMs = 300_000

/** Sends the data of a form. Resolves, never throws: a failure is a refusal, too. */
export async function sendForm(
  action: string,
  data: FormData,
  says: typeof formWords.fr,
): Promise<SentReply | RefusedReply> {
  let response: Response
  try {
    response = await fetch(action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: data,
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    return { sentence: says.offline }
  }
  const body = await response.json().catch(() => {})
  // Something else than the service may answer: what lies between, such as the sign-in of a network.
  if (response.ok && body?.id)
    return { redirectUrl: webAddress(body?.redirect_url), thanks: body?.thanks, more: body?.confirm }
  const { message, fields } = body?.error ?? {}
  return { sentence: message ?? says.unreadable, fields }
}

/** The service keeps to its contract, but an address that is followed is worth a look. */
function webAddress(value: string | undefined): string | undefined {
  return /^https?:\/\//i.test(String(value)) ? value : undefined
}
