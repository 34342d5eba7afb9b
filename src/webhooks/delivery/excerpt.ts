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

const maxHeaders = 16
const maxHeaderBytes = 200

/**
 * The first 16 headers of an answer as JSON, `[name, value]` pairs of at most 200 bytes each. A cookie may be
 * somebody's access, and is never kept.
 */
export function headersOf(headers: Headers): string {
  const kept: [string, string][] = []
  for (const [name, value] of headers) {
    if (name === "set-cookie" || name === "set-cookie2") continue
    if (kept.length === maxHeaders) break
    const shortName = name.slice(0, maxHeaderBytes)
    kept.push([shortName, shortened(value, maxHeaderBytes - shortName.length)])
  }
  return JSON.stringify(kept)
}

const plain = /^[\x20-\x7e]*$/

/** Headers are bytes; what is no ASCII takes two of them at most. */
function shortened(value: string, maxBytes: number): string {
  const start = value.slice(0, maxBytes)
  return plain.test(start) ? start : safeText(Buffer.from(start.slice(0, Math.floor(maxBytes / 3))))
}

/** Replaces control and direction-changing characters, which could deceive a reader of the log. */
function safeText(bytes: Uint8Array): string {
  // With `stream`, a character that was cut in the middle is left out.
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, "\ufffd")
}
