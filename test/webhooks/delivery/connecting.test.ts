import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { sendFailure } from "../../../src/outbound/failure.ts"
import { type Authority, type Certified, openAuthority } from "../../support/authority.ts"
import { failingReceivers } from "../../support/failing-receivers.ts"
import { hasIPv6 } from "../../support/ipv6.ts"
import { at, attempt, messageId, name, outboundTo, recipient } from "../../support/outbound.ts"
import { startRawReceiver, startSilentListener, startTcpReceiver } from "../../support/raw-receiver.ts"
import { startReceiver } from "../../support/receiver.ts"

let authority: Authority
let certified: Certified

beforeAll(() => {
  authority = openAuthority()
  certified = authority.certify([name])
})
afterAll(() => authority[Symbol.dispose]())

test("an answer that trickles has succeeded by its status, and does not hold its place until the limit", async () => {
  await using receiver = await startRawReceiver(certified, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
    const drip = setInterval(() => socket.write("x"), 20)
    socket.on("close", () => clearInterval(drip))
  })
  const sent = await attempt(outboundTo(authority, [at(receiver.port)], { answerTimeoutMs: 60_000 }))
  expect(sent).toMatchObject({ outcome: "delivered", status: 200 })
  expect(sent.responseExcerpt).toMatch(/^x+$/)
})

test("the same holds for headers that trickle", async () => {
  await using receiver = await startRawReceiver(certified, (socket) => {
    socket.write("HTTP/1.1 502 x\r\n")
    const drip = setInterval(() => socket.write("x: y\r\n"), 20)
    socket.on("close", () => clearInterval(drip))
  })
  const sent = await attempt(outboundTo(authority, [at(receiver.port)], { answerTimeoutMs: 60_000 }))
  expect(sent).toMatchObject({ outcome: "http_status", status: 502, responseExcerpt: null })
})

test("one time limit covers TLS, waiting and a trickling status line", async () => {
  const short = { answerTimeoutMs: 80 }
  await using hanging = await startTcpReceiver(() => {})
  await using waiting = await startRawReceiver(certified, () => {})
  await using trickling = await startRawReceiver(certified, (socket) => {
    socket.write("HTTP/1.1 200 ")
    const drip = setInterval(() => socket.write("x"), 10)
    socket.on("close", () => clearInterval(drip))
  })
  for (const { port } of [hanging, waiting, trickling])
    expect(await attempt(outboundTo(authority, [at(port)], short))).toMatchObject({
      outcome: "timeout",
      status: null,
      responseExcerpt: null,
    })
})

test("a connection that is refused or reset is a failed connection", async () => {
  const reset = await startTcpReceiver((socket) => socket.resetAndDestroy())
  expect((await attempt(outboundTo(authority, [at(reset.port)]))).outcome).toBe("connection")
  await reset[Symbol.asyncDispose]()
  for (const ip of ["127.0.0.1", "::1"])
    expect((await attempt(outboundTo(authority, [{ ...at(reset.port), ip }]))).outcome).toBe("connection")
})

const unhelpful: Record<string, () => Promise<{ port: number } & AsyncDisposable>> = {
  "refuses connections": async () => {
    const gone = await startTcpReceiver(() => {})
    await gone[Symbol.asyncDispose]()
    return gone
  },
  "is silent": startSilentListener,
  "is silent once it is connected": () => startTcpReceiver(() => {}),
  "resets connections": () => startTcpReceiver((socket) => socket.resetAndDestroy()),
  "speaks no TLS": () => startTcpReceiver((socket) => socket.end("SSH-2.0-x\r\n")),
  "has the certificate of another": () => startRawReceiver(authority.certify(["other.acme.fr"]), () => {}),
}

test.each(Object.entries(unhelpful))(
  "when one address of a name %s, the next one is tried, and gets the request alone",
  async (_name, start) => {
    await using unhelpful = await start()
    await using receiver = await startReceiver(authority, name)
    expect((await attempt(outboundTo(authority, [at(unhelpful.port), at(receiver.port)]))).outcome).toBe(
      "delivered",
    )
    expect(receiver.received).toHaveLength(1)
    if ("requests" in unhelpful) expect(unhelpful.requests).toBe(0)
  },
)

test("six addresses are tried, and no more", async () => {
  await using receiver = await startReceiver(authority, name)
  const refusing = Array.from({ length: 5 }, () => at(1))
  const reached = async (count: number) => {
    const fixed = [
      ...Array.from({ length: count }, () => refusing[0] as (typeof refusing)[0]),
      at(receiver.port),
    ]
    return (await attempt(outboundTo(authority, fixed))).outcome
  }
  expect([await reached(5), await reached(6)]).toEqual(["delivered", "connection"])
})

test.skipIf(!hasIPv6)("both families are tried in turn", async () => {
  await using receiver = await startReceiver(authority, name)
  const six = Array.from({ length: 9 }, () => ({ ...at(1), ip: "::1" }))
  expect((await attempt(outboundTo(authority, [...six, at(receiver.port)]))).outcome).toBe("delivered")
})

test("an attempt stays one attempt: however many addresses are silent, they share its time", async () => {
  await using silent = await startSilentListener()
  const sent = await attempt(
    outboundTo(
      authority,
      Array.from({ length: 6 }, () => at(silent.port)),
      { answerTimeoutMs: 600 },
    ),
  )
  expect(sent).toMatchObject({ outcome: "timeout", status: null })
  expect(sent.durationMs).toBeLessThan(6 * 600)
})

test.each(Object.entries(failingReceivers))(
  "the cause of %s is told, with address and port",
  async (_name, { cause, outcome, start }) => {
    await using receiver = await start(authority, name)
    const outbound = outboundTo(authority, [at(receiver.port)], { answerTimeoutMs: 2000 })
    const address = `127.0.0.1:${receiver.port}`
    expect(await attempt(outbound)).toMatchObject({ outcome, cause, address, status: null } as object)
  },
)

test("a machine that no way leads to is unreachable, as soon as the runtime says so", () => {
  for (const code of ["EHOSTUNREACH", "ENETUNREACH"])
    expect(sendFailure(code)).toMatchObject({ outcome: "connection", cause: "unreachable" })
})

test("an attempt whose connection was made is never repeated on another address", async () => {
  await using resetting = await startRawReceiver(certified, (socket) => socket.destroy())
  await using other = await startReceiver(authority, name)
  const sent = await attempt(outboundTo(authority, [at(resetting.port), at(other.port)]))
  expect([sent.outcome, resetting.requests, other.received.length]).toEqual(["connection", 1, 0])
})

test("an answer may come byte by byte, and before the request was read", async () => {
  await using receiver = await startRawReceiver(certified, async (socket) => {
    socket.pause()
    for (const byte of "HTTP/1.1 413 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n") {
      socket.write(byte)
      await Bun.sleep(1)
    }
  })
  const { send } = outboundTo(authority, [at(receiver.port)])
  const sent = await send(recipient(`https://${name}/`), messageId, new Uint8Array(5_000_000))
  expect(sent).toMatchObject({ outcome: "http_status", status: 413, responseExcerpt: "ok" })
})

test("the largest message arrives to the byte", async () => {
  const largest = crypto.getRandomValues(new Uint8Array(65_536)).toHex().repeat(2)
  await using receiver = await startReceiver(authority, name)
  const { send } = outboundTo(authority, [at(receiver.port)])
  expect(await send(recipient(`https://${name}/`), messageId, Buffer.from(largest))).toMatchObject({
    outcome: "delivered",
  })
  expect(Buffer.from((await receiver.waitFor(1))[0]?.body ?? []).toString()).toBe(largest)
})

test("an address that is silent leaves nothing behind once the time is over", async () => {
  await using silent = await startSilentListener()
  const outbound = outboundTo(authority, [at(silent.port)], { answerTimeoutMs: 300 })
  const descriptors = () => readdirSync("/proc/self/fd").length
  const before = descriptors()
  const attempts = Array.from({ length: 20 }, () => attempt(outbound))
  while (descriptors() < before + 20) await Bun.sleep(5)
  for (const { outcome } of await Promise.all(attempts)) expect(outcome).toBe("timeout")
  while (descriptors() > before) await Bun.sleep(5)
})
