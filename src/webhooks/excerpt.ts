import type { Answer } from "./answer.ts"

/** The beginning of an answer's body as text that is safe to keep and to show. Null for an empty body, and for a compressed one, which nobody asked for. */
export function excerptOf({ body, isPacked }: Answer): string | null {
  return body.length === 0 || isPacked ? null : safeText(body)
}

/** Control and direction-changing characters could deceive a terminal or a reader of the log. */
function safeText(bytes: Uint8Array): string {
  // `stream` leaves out a character that was cut in the middle.
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, "\ufffd")
}
