import { securityHeaders } from "../http/security.ts"
import { byteStream } from "../http/table.ts"

interface SentFile {
  name: string
  mediaType: string
  bytes: number
  content: AsyncGenerator<Uint8Array>
}

/**
 * A file that came from outside, as a download: whatever it holds, no page of ours shows it, and browsers take it for
 * nothing but its type.
 */
export function fileReply({ name, mediaType, bytes, content }: SentFile): Response {
  const ascii = name.normalize("NFKD").replace(/[^\x20-\x7e]|["%;\\]/g, "_")
  return new Response(byteStream(content), {
    headers: {
      ...securityHeaders,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "content-type": mediaType,
      "content-length": String(bytes),
      "content-disposition": `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    },
  })
}

/** RFC 8187: these signs have a meaning in a header, which a URL does not give them. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}
