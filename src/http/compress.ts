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

export function acceptsGzip(request: Request): boolean {
  return /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")
}
