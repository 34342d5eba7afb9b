/** So many posts a second to a pinned address over TLS, and nothing else: the limit. */
export async function bareLoop(
  url: string,
  name: string,
  ca: string,
  count: number,
  atOnce: number,
): Promise<number> {
  const body = new TextEncoder().encode(JSON.stringify({ texte: "x".repeat(900) }))
  let left = count
  async function loop(): Promise<void> {
    while (left-- > 0) {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: { host: name, "content-type": "application/json" },
        tls: { serverName: name, ca },
        redirect: "manual",
        proxy: false,
        decompress: false,
        keepalive: true,
        signal: AbortSignal.timeout(10_000),
      } as BunFetchRequestInit)
      await response.body?.cancel()
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, loop))
  return count / ((performance.now() - started) / 1000)
}
