import { openConnections } from "../../../src/webhooks/connections.ts"
import { clearUp } from "./drain.ts"

/** Posts once; resolves when it is answered. */
type Post = (signal: AbortSignal) => Promise<unknown>

/** So many posts a second, and nothing else: the limit. */
export async function bareLoop(post: Post, count: number, atOnce: number): Promise<number> {
  let left = count
  async function loop(): Promise<void> {
    // One for each place, as ours: signals with a time of their own would stay for 10 seconds, a burden to whatever is measured next.
    const { signal } = new AbortController()
    while (left-- > 0) await post(signal)
  }
  clearUp()
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, loop))
  return count / ((performance.now() - started) / 1000)
}

const path = "/hook"
const body = new TextEncoder().encode(JSON.stringify({ texte: "x".repeat(1070) }))

/** As large and with the same headers as ours. */
function headersFor(name: string): Record<string, string> {
  return {
    host: name,
    "content-type": "application/json",
    "user-agent": "Guichet/0.1.0",
    "webhook-id": "msg_0199c3f2a5b47d6e8f901a2b3c4d5e6f",
    "webhook-timestamp": "1773133200",
    "webhook-signature": `v1,${"x".repeat(43)}=`,
  }
}

/** With Bun's `fetch`, to a pinned address over TLS: what one would write. */
export function fetching(port: number, name: string, ca: string): Post {
  const headers = headersFor(name)
  return async (signal) => {
    const response = await fetch(`https://127.0.0.1:${port}${path}`, {
      method: "POST",
      body,
      headers,
      tls: { serverName: name, ca },
      redirect: "manual",
      proxy: false,
      decompress: false,
      keepalive: true,
      signal,
    } as BunFetchRequestInit)
    await response.body?.cancel()
  }
}

/** Over the connections that deliveries take. */
export function connecting(port: number, name: string, ca: string): Post {
  const connections = openConnections(ca)
  const fields = Object.entries({ ...headersFor(name), accept: "*/*", "content-length": body.length })
  const head = `POST ${path} HTTP/1.1\r\n${fields.map(([field, value]) => `${field}: ${value}\r\n`).join("")}\r\n`
  const request = Buffer.concat([Buffer.from(head), body])
  return (signal) => connections.exchange({ ip: "127.0.0.1", port }, name, request, signal)
}
