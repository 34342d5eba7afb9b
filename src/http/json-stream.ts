import { securityHeaders } from "./security.ts"
import { byteStream } from "./table.ts"

const chunkLength = 100_000

/** `{"items": […]}`, written as the items are read: there may be any number of them. */
export function jsonReply(items: AsyncGenerator<object>, headers: Record<string, string> = {}): Response {
  return new Response(byteStream(jsonChunks(items)), {
    headers: {
      ...securityHeaders,
      "content-type": "application/json",
      "cache-control": "no-store",
      ...headers,
    },
  })
}

async function* jsonChunks(items: AsyncGenerator<object>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = '{"items":['
  let isFirst = true
  for await (const item of items) {
    text += (isFirst ? "\n" : ",\n") + JSON.stringify(item)
    isFirst = false
    if (text.length < chunkLength) continue
    yield encoder.encode(text)
    text = ""
  }
  yield encoder.encode(`${text}]}`)
}
