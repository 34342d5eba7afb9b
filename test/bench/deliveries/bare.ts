import { clearUp } from "./drain.ts"

/**
 * So many posts a second to a pinned address over TLS, as large and with the same headers as ours, and
 * nothing else: the limit.
 */
export async function bareLoop(
  url: string,
  name: string,
  ca: string,
  count: number,
  atOnce: number,
): Promise<number> {
  const body = new TextEncoder().encode(JSON.stringify({ texte: "x".repeat(1070) }))
  let left = count
  async function loop(): Promise<void> {
    // One for each place, as ours: signals with a time of their own would stay for 10 seconds, a burden to
    // whatever is measured next.
    const { signal } = new AbortController()
    while (left-- > 0) {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: {
          host: name,
          "content-type": "application/json",
          "user-agent": "Guichet/0.1.0",
          "webhook-id": "msg_0199c3f2a5b47d6e8f901a2b3c4d5e6f",
          "webhook-timestamp": "1773133200",
          "webhook-signature": `v1,${"x".repeat(43)}=`,
        },
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
  clearUp()
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, loop))
  return count / ((performance.now() - started) / 1000)
}
