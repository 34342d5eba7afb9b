import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { openClient } from "../../src/outbound/client.ts"
import { type GetOptions, get, portNumber } from "../../src/outbound/get.ts"
import { openAuthority } from "../support/authority.ts"
import { startSite } from "../support/site.ts"

const wanted = { method: "GET", accept: "*/*", maxBytes: 1000 } as const
const options: GetOptions = {
  client: openClient(),
  userAgent: "Guichet/test",
  limits: { wholeTimeoutMs: 5000, stallTimeoutMs: 5000 },
}
const nothingAborts = new AbortController().signal

function getAt(port: number | undefined, scheme = "http", limits = options.limits) {
  const found = { targets: [{ ip: "127.0.0.1", port: port as number }] }
  return get(new URL(`${scheme}://docs.test/a?b`), found, wanted, { ...options, limits }, nothingAborts)
}

function rawServer(answer: string) {
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end(answer) },
  })
  return { port: listener.port, [Symbol.dispose]: () => listener.stop(true) }
}

test("the request goes to the judged address, and the name into its head alone", async () => {
  await using site = startSite(() => new Response("du texte"))
  const reply = await getAt(Number(new URL(site.url).port))
  expect(reply).toMatchObject({ outcome: "answer", status: 200 })
  expect(new TextDecoder().decode((reply as { bytes: Uint8Array }).bytes)).toBe("du texte")
  expect(site.log).toEqual(["GET /a?b"])
  expect(site.headers[0]?.get("host")).toBe("docs.test")
})

test("an address without a port has that of its scheme", () => {
  expect(["http://a.fr", "https://a.fr", "https://a.fr:8443"].map((url) => portNumber(new URL(url)))).toEqual(
    [80, 443, 8443],
  )
})

test("every failure is a code, never a sentence", async () => {
  using closed = rawServer("")
  using ssh = rawServer("SSH-2.0-OpenSSH\r\n")
  using broken = rawServer("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\ntext")
  using unasked = rawServer("HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 4\r\n\r\ntext")
  using large = rawServer(`HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n${"x".repeat(1001)}`)
  using endless = rawServer(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(1001)}`)
  using authority = openAuthority()
  await using stranger = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.certify(["docs.test"]),
    fetch: () => new Response("x"),
  })
  await using silent = startSite(() => () => new Promise<Response>(() => {}))
  const silentPort = Number(new URL(silent.url).port)
  expect((await getAt(closed.port)).outcome).toBe("connection")
  expect((await getAt(ssh.port)).outcome).toBe("protocol")
  expect(await getAt(broken.port)).toMatchObject({ outcome: "protocol", code: "Z_DATA_ERROR" })
  expect(await getAt(unasked.port)).toEqual({ outcome: "encoding", encoding: "br" })
  expect(await getAt(large.port)).toEqual({ outcome: "too_large" })
  expect(await getAt(endless.port)).toEqual({ outcome: "too_large" })
  expect((await getAt(stranger.port, "https")).outcome).toBe("tls")
  expect(await getAt(silentPort, "http", { wholeTimeoutMs: 5000, stallTimeoutMs: 20 })).toEqual({
    outcome: "timeout",
    limit: "stall",
    limitMs: 20,
  })
  expect(await getAt(silentPort, "http", { wholeTimeoutMs: 20, stallTimeoutMs: 5000 })).toEqual({
    outcome: "timeout",
    limit: "whole",
    limitMs: 20,
  })
})

test("the certificate is checked against the name, not against the address", async () => {
  using authority = openAuthority()
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.certify(["docs.test"]),
    fetch: () => new Response("x"),
  })
  const ca = readFileSync(authority.caFile, "utf8")
  const found = { targets: [{ ip: "127.0.0.1", port: server.port as number }] }
  const ask = (name: string) =>
    get(new URL(`https://${name}/`), found, wanted, { ...options, ca }, nothingAborts)
  expect((await ask("docs.test")).outcome).toBe("answer")
  expect((await ask("other.test")).outcome).toBe("tls")
})

test("a body in chunks of a byte is read to the byte, and beyond so many chunks not at all", async () => {
  const inChunks = (bytes: number) =>
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(bytes)}0\r\n\r\n`
  using small = rawServer(inChunks(1000))
  using endless = rawServer(inChunks(200_001))
  expect(await getAt(small.port)).toMatchObject({ outcome: "answer", bytes: Buffer.alloc(1000, "x") })
  const found = { targets: [{ ip: "127.0.0.1", port: endless.port }] }
  const large = { ...wanted, maxBytes: 1_000_000 }
  expect((await get(new URL("http://docs.test/"), found, large, options, nothingAborts)).outcome).toBe(
    "connection",
  )
})
