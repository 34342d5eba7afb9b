/**
 * The data of each event of a body in the format `text/event-stream`, as they come. A last one that was cut
 * off is left out.
 */
export async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let lines: string[] = []
  let begun: string[] = []
  for await (const bytes of body) {
    const parts = decoder.decode(bytes, { stream: true }).split("\n")
    begun.push(parts[0] as string)
    for (const part of parts.slice(1)) {
      const line = begun.join("").replace(/\r$/, "")
      begun = [part]
      if (line === "" && lines.length > 0) {
        yield lines.join("\n")
        lines = []
      }
      const [, data] = /^data: ?(.*)$/.exec(line) ?? []
      if (data !== undefined) lines.push(data)
    }
  }
}
