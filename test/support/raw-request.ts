import { connect } from "node:net"

/**
 * Sends exactly these bytes on a connection of its own; resolves to the status, or to 0 when the connection
 * is ended without one.
 */
export function sendRaw(url: string, bytes: Uint8Array): Promise<number> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<number>()
  let start = ""
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  socket.on("data", (data) => {
    if (start.length < 20) start += data.toString("latin1", 0, 20)
  })
  socket.on("error", () => {})
  socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1] ?? 0)))
  return promise
}

/** A request as it goes over the wire; what cannot stand in a header is left out of it. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Uint8Array = new Uint8Array(),
): Uint8Array {
  const lines = Object.entries({
    host: "localhost",
    ...headers,
    "content-length": String(body.length),
    connection: "close",
  })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that cannot
    .map(([name, value]) => `${name}: ${value.replace(/[\u0000-\u001f\u007f]/g, "")}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), body])
}
