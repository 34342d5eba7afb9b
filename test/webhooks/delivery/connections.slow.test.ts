import { afterAll, beforeAll, expect, test } from "bun:test"
import type { TLSSocket } from "node:tls"
import { inFlightLimits } from "../../../src/webhooks/delivery/in-flight.ts"
import { type Authority, type Certified, openAuthority } from "../../support/authority.ts"
import { at, attempt, name, outboundTo } from "../../support/outbound.ts"
import { startRawReceiver } from "../../support/raw-receiver.ts"

let authority: Authority
let certified: Certified

beforeAll(() => {
  authority = openAuthority()
  certified = authority.certify([name])
})
afterAll(() => authority[Symbol.dispose]())

const lasting: Record<string, string> = {
  "with a length": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
  "in chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "without a body": "HTTP/1.1 204 No Content\r\n\r\n",
  "that is a failure": "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n",
}

test.each(Object.entries(lasting))("attempts answered %s share a connection", async (_name, answer) => {
  await using receiver = await startRawReceiver(certified, (socket) => socket.write(answer))
  const outbound = outboundTo(authority, [at(receiver.port)])
  for (let number = 0; number < 20; number++) expect((await attempt(outbound)).status).toBeNumber()
  expect([receiver.requests, receiver.connections]).toEqual([20, 1])
})

test("as many attempts as start at once find their connections again, however often they end together", async () => {
  const { total } = inFlightLimits
  for (;;) {
    await using receiver = await startRawReceiver(certified, (socket) =>
      setTimeout(() => socket.write("HTTP/1.1 204 x\r\n\r\n"), 20),
    )
    const outbound = outboundTo(authority, [at(receiver.port)], { answerTimeoutMs: 120_000 })
    const beganMs: number[] = [performance.now()]
    for (let round = 0; round < 5; round++) {
      const attempts = await Promise.all(Array.from({ length: total }, () => attempt(outbound)))
      for (const { outcome } of attempts) expect(outcome).toBe("delivered")
      beganMs.push(performance.now())
    }
    // An idle connection is kept for half a minute: where two rounds took longer, it is tried again.
    if (beganMs.some((began, round) => began - (beganMs[round - 2] ?? began) > 30_000)) continue
    expect(receiver.connections).toBeLessThanOrEqual(total)
    return
  }
})

test("the certificate is checked over every connection, whatever others are made at the same time", async () => {
  using stranger = openAuthority()
  await using receiver = await startRawReceiver(stranger.certify([name]), () => {})
  const outbound = outboundTo(authority, [at(receiver.port)])
  for (const { outcome } of await Promise.all(Array.from({ length: 10 }, () => attempt(outbound))))
    expect(outcome).toBe("tls")
  expect(receiver.requests).toBe(0)
})

const ending: Record<string, string> = {
  "that says so": "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n",
  "of HTTP/1.0": "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
  "that more follows than belongs to it":
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n",
  "with a folded field": "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n",
  "with a blank before a colon": "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n",
  "with a name that is none": "HTTP/1.1 200 OK\r\nX(A): b\r\nContent-Length: 0\r\n\r\n",
  "of two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n",
  "of a length and in chunks":
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "longer than what is kept of it": `HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n${"x".repeat(999_999)}`,
}

test.each(Object.entries(ending))(
  "after an answer %s, the next attempt has a connection of its own",
  async (_name, answer) => {
    await using receiver = await startRawReceiver(certified, (socket) => socket.write(answer))
    const outbound = outboundTo(authority, [at(receiver.port)])
    for (let number = 0; number < 3; number++) expect((await attempt(outbound)).outcome).toBe("delivered")
    expect([receiver.requests, receiver.connections]).toEqual([3, 3])
  },
)

const parting: Record<string, (socket: TLSSocket) => void> = {
  "closes its connection": (socket) => socket.end(),
  "resets its connection": (socket) => socket.destroy(),
  "says something more": (socket) => setTimeout(() => socket.write("\r\n"), 1),
}

test.each(Object.entries(parting))(
  "no attempt fails because a server %s after each answer, unannounced",
  async (_name, part) => {
    await using receiver = await startRawReceiver(certified, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      part(socket)
    })
    const outbound = outboundTo(authority, [at(receiver.port)])
    for (let number = 0; number < 20; number++) expect((await attempt(outbound)).outcome).toBe("delivered")
  },
)

test("the same holds for one that closes when it is asked again", async () => {
  const served = new WeakSet<TLSSocket>()
  await using receiver = await startRawReceiver(certified, (socket) => {
    if (served.has(socket)) socket.destroy()
    else socket.write("HTTP/1.1 204 x\r\n\r\n")
    served.add(socket)
  })
  const outbound = outboundTo(authority, [at(receiver.port)])
  for (let number = 0; number < 5; number++) expect((await attempt(outbound)).outcome).toBe("delivered")
})

test("what comes over a kept connection unasked is not taken for the next answer", async () => {
  const said = Promise.withResolvers<void>()
  await using receiver = await startRawReceiver(certified, (socket, number) => {
    socket.write(number === 1 ? "HTTP/1.1 204 x\r\n\r\n" : "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n")
    if (number > 1) return
    socket.on("close", () => said.resolve())
    setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 20)
  })
  const outbound = outboundTo(authority, [at(receiver.port)])
  expect((await attempt(outbound)).status).toBe(204)
  await said.promise
  expect((await attempt(outbound)).status).toBe(500)
})
