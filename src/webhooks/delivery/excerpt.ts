import { decodeText } from "../../outbound/charset.ts"
import { type Field, headerValue, type Reply } from "../../outbound/reply.ts"

export const maxExcerptBytes = 4096

/**
 * The beginning of an answer's body, as text that is safe to keep and to show. A body that is cut off or malformed
 * gives what arrived of it. Null for an empty body, and for a compressed one, which was not asked for.
 */
export function bodyExcerpt({ fields, bytes }: Reply): string | null {
  const encoding = headerValue(fields, "content-encoding") ?? "identity"
  if (bytes.length === 0 || encoding.toLowerCase() !== "identity") return null
  return safeText(decodeText(bytes, headerValue(fields, "content-type") ?? ""))
}

const maxHeaders = 16
const maxHeaderBytes = 200

/**
 * The first 16 headers of an answer, and where it redirects to, as JSON: `[name, value]` pairs of at most 200 bytes
 * each. A cookie may grant access, and is never kept.
 */
export function headersExcerpt(fields: readonly Field[]): string {
  const excerpt: [string, string][] = []
  for (const [name, value] of fields) {
    if (name === "set-cookie" || name === "set-cookie2") continue
    if (excerpt.length >= maxHeaders && (name !== "location" || excerpt.length > maxHeaders)) continue
    const shortName = name.slice(0, maxHeaderBytes)
    excerpt.push([shortName, shortened(value, maxHeaderBytes - shortName.length)])
  }
  return JSON.stringify(excerpt)
}

const plain = /^[\x20-\x7e]*$/

/** A field is bytes, each a character here; what is no ASCII takes two of them at most. */
function shortened(value: string, maxBytes: number): string {
  const start = value.slice(0, maxBytes)
  if (plain.test(start)) return start
  return safeText(decodeText(Buffer.from(start.slice(0, Math.floor(maxBytes / 3)), "latin1"), ""))
}

/** Replaces control and direction-changing characters, which could deceive a reader of the log. */
function safeText(text: string): string {
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, "\ufffd")
}
