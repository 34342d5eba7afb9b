import type { Work } from "../proof/solve.ts"
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
const startTimeoutMs = 10_000

/** As the service says it of a form before it is sent. */
interface Start {
  started?: string
  check?: string
  closed?: string
  proof?: Work
}

/** Rejects where the browser does not get to the service. */
export async function readStart(action: string): Promise<Start> {
  const response = await fetch(`${action}/start`, { signal: AbortSignal.timeout?.(startTimeoutMs) })
  // Something else than the service may answer: what lies between, such as the sign-in of a network.
  return await response.json().catch(() => ({}))
}

/** Sends the data of a form. Resolves to undefined where the browser does not get it there. */
export async function sendForm(
  action: string,
  data: FormData,
  says: typeof formWords.fr,
): Promise<SentReply | RefusedReply | undefined> {
  let response: Response
  try {
    response = await fetch(action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: data,
      signal: AbortSignal.timeout?.(timeoutMs),
    })
  } catch {
    return undefined
  }
  const body = await response.json().catch(() => {})
  if (response.ok && body?.id)
    return { redirectUrl: webAddress(body?.redirect_url), thanks: body?.thanks, more: body?.confirm }
  const { message, fields } = body?.error ?? {}
  return { sentence: message ?? says.unreadable, fields }
}

/** A file that was moved, changed or removed since it was chosen stops the whole form, and no browser says so. */
export async function unreadableFile(data: FormData): Promise<{ field: string; name: string } | undefined> {
  for (const [field, value] of data) {
    if (typeof value === "string") continue
    try {
      // A part of a file that is gone has no bytes, which Chromium reads.
      const reader = value.stream().getReader()
      await reader.read()
      void reader.cancel()
    } catch {
      return { field, name: value.name }
    }
  }
  return undefined
}

/** The service keeps to its contract, but an address that is followed is worth a look. */
function webAddress(value: string | undefined): string | undefined {
  return /^https?:\/\//i.test(String(value)) ? value : undefined
}
