/** Requests of one connection that are answered in one tick of the event loop. */
const most = 4

/**
 * Bun answers all requests that came on a connection together (HTTP/1.1 pipelining) in one tick of the event loop.
 * Says which of them is the last to be answered: its reply closes the connection, and Bun starts none of the
 * others, so that one client's hundred pages delay no other client. The client sends the rest again (RFC 9112,
 * 9.3.2). `port` is the client's, which names its connection.
 */
export function openPipelines(): (port: number | undefined) => boolean {
  let latest: { port: number | undefined; count: number } | undefined

  return (port) => {
    if (!latest)
      setImmediate(() => {
        latest = undefined
      })
    // The requests of one connection are read in a row.
    const before = latest?.port === port ? (latest?.count ?? 0) : 0
    const count = before + 1
    latest = { port, count }
    return count >= most
  }
}

/** The reply with the header at which Bun closes the connection behind it. */
export async function closing(reply: Response | Promise<Response>): Promise<Response> {
  const { body, status, headers } = await reply
  return new Response(body, { status, headers: [...headers, ["connection", "close"]] })
}
