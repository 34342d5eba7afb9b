import type { Reply } from "./behaviour.ts"

/** A body of events as a behaviour wants it: whole, stalled or far too large. */
export function streamed(events: string[], end: string[], { stall, bytes, headers }: Reply): Response {
  const encoder = new TextEncoder()
  const filling = encoder.encode("x".repeat(64_000))
  let left = bytes ?? 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (const event of events.splice(0)) controller.enqueue(encoder.encode(event))
      if (left > 0) {
        if (left === bytes) controller.enqueue(encoder.encode("data: "))
        controller.enqueue(filling)
        left -= filling.length
        return
      }
      if (stall) return new Promise(() => {})
      for (const event of end) controller.enqueue(encoder.encode(event))
      controller.close()
    },
  })
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } })
}
