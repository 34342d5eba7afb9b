import { createSocket } from "node:dgram"
import { type NewResolver, resolvers } from "../../src/outbound/resolve.ts"

/** A name server on loopback whose answers a test changes; asked over real datagrams, as the system's is. */
export interface NameServer extends AsyncDisposable {
  /** Asks this server and no other. */
  newResolver: NewResolver
  /** What each name resolves to from now on; a name without an entry does not exist. */
  answers: Record<string, NameAnswer>
  /** Every name that was asked for, once per record type. */
  asked: string[]
}

/** Addresses of either family, an error code of the protocol, or no answer at all. */
export type NameAnswer = RecordsAnswer | { A: RecordsAnswer; AAAA: RecordsAnswer }

/** A promise: the answer comes once it is kept. */
type RecordsAnswer = Told | Promise<Told>
type Told = string[] | "SERVFAIL" | "silence"

const codes = { SERVFAIL: 2, NXDOMAIN: 3 }
const types = { 1: "A", 28: "AAAA" } as const

export async function startNameServer(answers: Record<string, NameAnswer> = {}): Promise<NameServer> {
  const server = { answers, asked: [] as string[] }
  const socket = createSocket("udp4")
  let isOpen = true
  socket.on("message", async (query, peer) => {
    const { name, type, end } = questionOf(query)
    server.asked.push(name)
    const told = server.answers[name]
    const isSplit = typeof told === "object" && "A" in told
    const answer = await (isSplit ? told[types[type as 1]] : told)
    if (!isOpen) return
    if (answer === "silence") return
    const reply = answer === "SERVFAIL" ? [] : (answer ?? []).filter((ip) => typeOf(ip) === types[type as 1])
    const code = answer === undefined ? codes.NXDOMAIN : answer === "SERVFAIL" ? codes.SERVFAIL : 0
    socket.send(message(query, end, code, reply), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  const newResolver = resolvers([`127.0.0.1:${socket.address().port}`])

  return Object.assign(server, {
    newResolver,
    async [Symbol.asyncDispose]() {
      isOpen = false
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  })
}

function typeOf(ip: string): "A" | "AAAA" {
  return ip.includes(":") ? "AAAA" : "A"
}

/** RFC 1035, part 4.1.2: labels with their length ahead, then type and class. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** RFC 1035, part 4.1: the question repeated, then a record per address, none to be kept (TTL 0). */
function message(query: Buffer, end: number, code: number, ips: string[]): Buffer {
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(ips.length, 6)
  head.writeUInt32BE(0, 8)
  const records = ips.map((ip) => {
    const address = bytesOf(ip)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(ip.includes(":") ? 28 : 1, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(address.length, 10)
    return Buffer.concat([record, address])
  })
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

function bytesOf(ip: string): Buffer {
  if (!ip.includes(":")) return Buffer.from(ip.split(".").map(Number))
  const [left = "", right] = ip.split("::")
  const parts = (text: string) => (text === "" ? [] : text.split(":"))
  const missing = 8 - parts(left).length - parts(right ?? "").length
  const groups = [
    ...parts(left),
    ...Array(right === undefined ? 0 : missing).fill("0"),
    ...parts(right ?? ""),
  ]
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex")
}
