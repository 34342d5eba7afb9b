/**
 * Yields the `data` of each event of a `text/event-stream` body (HTML standard, server-sent events). Leaves
 * out a last event that was cut off. Collects the chunks of a line, so that one event of megabytes is not
 * searched again with every chunk.
 */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let dataLines: string[] = []
  let partialLine: string[] = []
  for await (const bytes of body) {
    const parts = decoder.decode(bytes, { stream: true }).split("\n")
    partialLine.push(parts[0] as string)
    for (const part of parts.slice(1)) {
      const line = partialLine.join("").replace(/\r$/, "")
      partialLine = [part]
      if (line === "" && dataLines.length > 0) {
        yield dataLines.join("\n")
        dataLines = []
      }
      const [, data] = /^data: ?(.*)$/.exec(line) ?? []
      if (data !== undefined) dataLines.push(data)
    }
  }
}
