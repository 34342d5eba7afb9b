import { secondMs } from "../../base/clock.ts"
import { readStart } from "../../outbound/body.ts"

const maxBytes = 4096
/** The status has already decided the outcome: a slow body keeps its place no longer than this. */
const withinMs = secondMs

/**
 * The first 4 kB of an answer's body, as text that is safe to keep and to show. A body that is cut off or
 * malformed gives what arrived of it. Null for an empty body, and for a compressed one, which was not asked
 * for. Never rejects.
 */
export async function excerptOf(body: ReadableStream<Uint8Array>, headers: Headers): Promise<string | null> {
  const { bytes } = await readStart(body, maxBytes, { withinMs })
  const encoding = headers.get("content-encoding") ?? "identity"
  return bytes.length === 0 || encoding !== "identity" ? null : safeText(bytes)
}

/** Replaces control and direction-changing characters, which could deceive a reader of the log. */
function safeText(bytes: Uint8Array): string {
  // With `stream`, a character that was cut in the middle is left out.
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, "\ufffd")
}
