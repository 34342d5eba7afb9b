import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { type Client, type OutgoingRequest, openClient } from "../../src/outbound/client.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { name } from "../support/outbound.ts"
import { startRawReceiver, startTcpReceiver } from "../support/raw-receiver.ts"

let authority: Authority
let client: Client
beforeAll(() => {
  authority = openAuthority()
  client = openClient()
})
afterAll(() => {
  client[Symbol.dispose]()
  authority[Symbol.dispose]()
})

const signal = new AbortController().signal

function post(port: number, late: AbortSignal, request: Partial<OutgoingRequest> = {}) {
  const ca = readFileSync(authority.caFile, "utf8")
  return client.request(
    { targets: [{ ip: "127.0.0.1", port }], late },
    { scheme: "https:", host: name, path: "/", ca },
    {
      method: "POST",
      newHeaders: () => ({}),
      body: new Uint8Array(2),
      wantedBytes: () => 100,
      signal,
      ...request,
    },
  )
}

test("a connection whose name is condemned while it is made gets nothing", async () => {
  const late = new AbortController()
  const said: Buffer[] = []
  const closed = Promise.withResolvers<void>()
  await using receiver = await startTcpReceiver((socket) => {
    socket.on("data", (bytes) => {
      said.push(bytes)
      late.abort()
    })
    socket.on("close", () => closed.resolve())
  })
  expect(await post(receiver.port, late.signal)).toEqual({ outcome: "private_address" })
  await closed.promise
  // The greeting of TLS is all it got.
  expect(said.map((bytes) => bytes[0])).toEqual([22])
})

test("a name that was condemned before is not connected to", async () => {
  await using receiver = await startTcpReceiver(() => {})
  expect(await post(receiver.port, AbortSignal.abort())).toEqual({ outcome: "private_address" })
  expect(receiver.connections).toBe(0)
})

test("a kept connection is not used once its name is condemned", async () => {
  await using receiver = await startRawReceiver(authority.certify([name]), (socket) =>
    socket.write("HTTP/1.1 204 x\r\n\r\n"),
  )
  expect(await post(receiver.port, signal)).toMatchObject({ status: 204 })
  expect(await post(receiver.port, AbortSignal.abort())).toEqual({ outcome: "private_address" })
  expect(receiver.requests).toBe(1)
})

test.each(["a\r\nx: y", "a\nb", "a\0b", "\u2028"])("a header that holds %j is never sent", async (value) => {
  await using receiver = await startRawReceiver(authority.certify([name]), () => {})
  const sent = post(receiver.port, signal, { newHeaders: () => ({ "x-a": value }) })
  await expect(sent).rejects.toThrow("a request cannot hold this x-a")
  expect(receiver.requests).toBe(0)
})

test("a target that is no IP address is never looked up", async () => {
  const found = { targets: [{ ip: "localhost", port: 1 }] }
  const destination = { scheme: "http:", host: name, path: "/" } as const
  const request = { method: "GET", newHeaders: () => ({}), wantedBytes: () => 0, signal } as const
  await expect(client.request(found, destination, request)).rejects.toThrow("a target is an IP address")
})

test("however many others were sent to before, who is sent to all the time keeps a connection", async () => {
  await using receiver = await startTcpReceiver((socket) =>
    socket.on("data", () => socket.write("HTTP/1.1 204 x\r\n\r\n")),
  )
  const found = { targets: [{ ip: "127.0.0.1", port: receiver.port }] }
  const get = (host: string) =>
    client.request(
      found,
      { scheme: "http:", host, path: "/" },
      { method: "GET", wantedBytes: () => 0, signal },
    )
  for (let other = 0; other < 260; other++) await get(`other-${other}`)
  const before = receiver.connections
  for (let times = 0; times < 5; times++) expect(await get("often")).toMatchObject({ status: 204 })
  expect(receiver.connections).toBe(before + 1)
})
