/** Sends an event whose data is the JSON of a value. */
export type Send = (event: string, value: unknown) => void

/**
 * A reply of the format `text/event-stream` (HTML standard, server-sent events). The work's signal is aborted
 * when whoever reads goes away; the stream ends with the work, which never rejects.
 */
export function eventStream(
  work: (send: Send, signal: AbortSignal) => Promise<void>,
  callerSignal: AbortSignal,
): Response {
  const left = new AbortController()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: Send = (event, value) => {
        if (!left.signal.aborted)
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`))
      }
      await work(send, AbortSignal.any([left.signal, callerSignal]))
      if (!left.signal.aborted) controller.close()
    },
    cancel: () => left.abort(),
  })
  // A proxy that gathers the reply before it passes it on would make it pointless.
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  }
  return new Response(body, { headers })
}

/** Whether a request names the format among those it takes. */
export function takesEvents(request: Request): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers.get("accept") ?? "",
  )
}
