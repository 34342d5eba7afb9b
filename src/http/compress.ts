/** Below this size compression saves no packet. */
const minBytes = 1000

/**
 * The same HTML reply, compressed where the client takes that. A page that shows both a secret and what a stranger may
 * choose must hold the secret in another form each time (console/kit/csrf.ts), since the size tells of repetitions.
 */
export async function compressed(request: Request, reply: Response): Promise<Response> {
  const isHtml = reply.headers.get("content-type")?.startsWith("text/html")
  if (!isHtml || request.method === "HEAD") return reply
  const { status, headers } = reply
  headers.append("vary", "accept-encoding")
  const body = new Uint8Array(await reply.arrayBuffer())
  if (body.length < minBytes || !acceptsGzip(request)) return new Response(body, { status, headers })
  headers.set("content-encoding", "gzip")
  return new Response(Bun.gzipSync(body), { status, headers })
}

/** A text that many ask for, compressed where the client takes that. */
export function textReply(request: Request, text: string, headers: Record<string, string>): Response {
  const varying = { ...headers, vary: "accept-encoding" }
  if (!acceptsGzip(request)) return new Response(text, { headers: varying })
  return new Response(compressedOnce(text), { headers: { ...varying, "content-encoding": "gzip" } })
}

/** The texts are few: our own, and one for each version of a script that pages still name. */
function compressedOnce(text: string): Uint8Array<ArrayBuffer> {
  let bytes = compressions.get(text)
  if (!bytes) {
    bytes = Bun.gzipSync(text, { library: "libdeflate", level: 12 })
    compressions.set(text, bytes)
  }
  return bytes
}

const compressions = new Map<string, Uint8Array<ArrayBuffer>>()

/** Whether the `Accept-Encoding` header lists gzip, and not with quality 0 (RFC 9110, 12.5.3). */
function acceptsGzip(request: Request): boolean {
  return /(?:^|,)\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers.get("accept-encoding") ?? "",
  )
}
