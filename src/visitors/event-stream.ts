export type Send = (event: string, value: unknown) => void

/**
 * A reply in the format `text/event-stream` (HTML standard, server-sent events). The signal of `work` is
 * aborted when the client goes away. The stream ends when `work` resolves; `work` must never reject.
 */
export function eventStream(
  work: (send: Send, signal: AbortSignal) => Promise<void>,
  callerSignal: AbortSignal,
): Response {
  const disconnected = new AbortController()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: Send = (event, value) => {
        if (!disconnected.signal.aborted)
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`))
      }
      await work(send, AbortSignal.any([disconnected.signal, callerSignal]))
      if (!disconnected.signal.aborted) controller.close()
    },
    cancel: () => disconnected.abort(),
  })
  // `x-accel-buffering` stops a proxy from gathering the whole reply before it passes it on.
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  }
  return new Response(body, { headers })
}

/** Whether the `Accept` header of a request lists the format, and not with quality 0. */
export function acceptsEvents(request: Request): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers.get("accept") ?? "",
  )
}
