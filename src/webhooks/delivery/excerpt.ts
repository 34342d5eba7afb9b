import { secondMs } from "../../base/clock.ts"

const maxBytes = 4096
/** The status has already decided: an answer that trickles holds its slot no longer than this. */
const maxWaitMs = secondMs

/**
 * The first 4 kB of an answer's body as text that is safe to keep and to show; no more is read. Null for an empty body, and for a
 * compressed one, which nobody asked for. Never rejects.
 */
export async function excerptOf(body: ReadableStream<Uint8Array>, headers: Headers): Promise<string | null> {
  const reader = body.getReader()
  const late = setTimeout(() => void reader.cancel().catch(() => {}), maxWaitMs)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      const part = value.slice(0, maxBytes - length)
      parts.push(part)
      length += part.length
    }
  } catch {
    // Cut off or malformed: what came is kept.
  } finally {
    clearTimeout(late)
    await reader.cancel().catch(() => {})
  }
  const encoding = headers.get("content-encoding") ?? "identity"
  return length === 0 || encoding !== "identity" ? null : safeText(Buffer.concat(parts))
}

/** Control and direction-changing characters could deceive a terminal or a reader of the log. */
function safeText(bytes: Uint8Array): string {
  // `stream` leaves out a character that was cut in the middle.
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, "\ufffd")
}
