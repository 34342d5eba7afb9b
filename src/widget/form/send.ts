import type { formMessages } from "../messages.fr.ts"

export type SendResult =
  | { outcome: "sent"; redirectUrl: string | undefined; thanks: string | undefined; more: string | undefined }
  | { outcome: "refused"; sentence: string; fields: Record<string, string> }

/** Sends the data of a form. Resolves, never throws: a failure is `refused` with a sentence. */
export async function sendForm(
  action: string,
  data: FormData,
  says: typeof formMessages.fr,
): Promise<SendResult> {
  let response: Response
  try {
    response = await fetch(action, { method: "POST", headers: { accept: "application/json" }, body: data })
  } catch {
    return refused(says.offline)
  }
  const body = await response.json().catch(() => undefined)
  if (response.ok)
    return {
      outcome: "sent",
      redirectUrl: webAddress(body?.redirect_url),
      thanks: text(body?.thanks),
      more: text(body?.confirm),
    }
  const { message, fields } = body?.error ?? {}
  return typeof message === "string" ? refused(message, fields) : refused(says.unreadable)
}

function refused(sentence: string, fields: Record<string, string> = {}): SendResult {
  return { outcome: "refused", sentence, fields }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

function webAddress(value: unknown): string | undefined {
  return typeof value === "string" && /^https?:\/\//i.test(value) ? value : undefined
}
