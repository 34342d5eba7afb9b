/** Packet lines, in which the Git protocol is written (gitprotocol-common). */

/** `flush` ends a message, `delimiter` a part of one. */
export type Packet = Buffer | "flush" | "delimiter"

/** One line each; undefined is the delimiter. A flush ends it. */
export function packetLines(lines: readonly (string | undefined)[]): Buffer {
  const written = lines.map((line) => (line === undefined ? "0001" : packetLine(`${line}\n`)))
  return Buffer.from(`${written.join("")}0000`)
}

function packetLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text
}

/** Throws Error for what is no such line, or ends within one. */
export function* readPackets(bytes: Buffer): Generator<Packet> {
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.toString("latin1", at, at + 4)
    const length = /^[\da-f]{4}$/i.test(head) ? Number.parseInt(head, 16) : Number.NaN
    if (length === 0) yield "flush"
    else if (length === 1) yield "delimiter"
    else if (length > 4 && at + length <= bytes.length) yield bytes.subarray(at + 4, at + length)
    // 2 ends a reply of the stateless kind, and 4 holds nothing.
    else if (length !== 2 && length !== 4) throw new Error("not the Git protocol")
    at += Math.max(length, 4)
  }
}

/** The line as text, without its end; undefined for a packet without a line. */
export function packetText(packet: Packet): string | undefined {
  return typeof packet === "string" ? undefined : packet.toString("utf8").replace(/\n$/, "")
}
