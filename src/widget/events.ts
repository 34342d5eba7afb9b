/**
 * One event of a `text/event-stream` (HTML standard) whose lines end in LF or CRLF, and whose data are JSON
 * in one line.
 */
export interface StreamEvent {
  event: string
  data: string
}

/** Yields the events of a body as they come. Leaves out comments, ids and a last event that was cut off. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value.replaceAll("\r", "")).split("\n\n")
    text = blocks.pop() as string
    for (const block of blocks) yield parseEvent(block)
  }
}

function parseEvent(block: string): StreamEvent {
  const [, event = ""] = /^event: ?(.*)/m.exec(block) ?? []
  const [, data = ""] = /^data: ?(.*)/m.exec(block) ?? []
  return { event, data }
}
