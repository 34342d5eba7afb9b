import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import type { SendResult } from "../../../src/webhooks/delivery/send.ts"
import { type Authority, openAuthority } from "../../support/authority.ts"
import { startNameServer } from "../../support/dns.ts"
import { at, attempt, name, outboundTo } from "../../support/outbound.ts"
import { startRawReceiver, startTcpReceiver } from "../../support/raw-receiver.ts"
import { startReceiver } from "../../support/receiver.ts"

let authority: Authority

beforeAll(() => {
  authority = openAuthority()
})
afterAll(() => authority[Symbol.dispose]())

const publicAddress = "93.184.215.14"

test("every attempt resolves anew: a name that now leads inwards reaches nobody", async () => {
  await using inside = await startTcpReceiver(() => {})
  await using names = await startNameServer()
  const outbound = outboundTo(authority, [], { newResolver: names.newResolver, port: inside.port })
  const inward = [
    ["127.0.0.1"],
    ["::1"],
    [publicAddress, "127.0.0.1"],
    ["127.0.0.1", "2606:4700::1111"],
    ["::ffff:7f00:1"],
  ]
  for (const answer of inward) {
    names.answers[name] = [publicAddress]
    expect(await outbound.resolve(name, new AbortController().signal)).toEqual({
      targets: [{ ip: publicAddress, port: inside.port }],
    })
    names.answers[name] = answer
    expect((await attempt(outbound)).outcome).toBe("private_address")
  }
  expect(inside.connections).toBe(0)
})

test("with nobody to judge, the same listener would be reached: the test above can fail", async () => {
  await using inside = await startTcpReceiver((socket) => socket.end())
  await attempt(outboundTo(authority, [at(inside.port)]))
  expect(inside.connections).toBe(1)
})

test("a kept connection is not used once its name leads elsewhere", async () => {
  await using receiver = await startRawReceiver(authority.certify([name]), (socket) =>
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
  )
  await using names = await startNameServer({ [name]: ["10.0.0.1"] })
  const fixed = [at(receiver.port)]
  const outbound = outboundTo(authority, fixed, { newResolver: names.newResolver })
  for (let number = 0; number < 3; number++) expect((await attempt(outbound)).outcome).toBe("delivered")
  fixed.length = 0
  expect((await attempt(outbound)).outcome).toBe("private_address")
  expect(receiver.requests).toBe(3)
})

test("a kept connection is not used for another name at the same address", async () => {
  await using receiver = await startRawReceiver(authority.certify([name]), (socket) =>
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
  )
  const other = "other.acme.fr"
  const outbound = outboundTo(authority, [at(receiver.port), at(receiver.port, other)])
  for (let number = 0; number < 3; number++) {
    expect((await attempt(outbound)).outcome).toBe("delivered")
    expect((await attempt(outbound, `https://${other}/in`)).outcome).toBe("tls")
  }
  expect(receiver.requests).toBe(3)
})

const certificates: Record<string, (other: Authority) => { cert: string; key: string }> = {
  "for another name": () => authority.certify(["other.acme.fr"]),
  "for the address instead of the name": () => authority.certify(["127.0.0.1"]),
  "for too many levels": () => authority.certify(["*.fr"]),
  "that has expired": () => authority.certify([name], { from: -3, to: -1 }),
  "that is not valid yet": () => authority.certify([name], { from: 1, to: 3 }),
  "of an unknown authority": (other) => other.certify([name]),
}

test.each(Object.entries(certificates))(
  "a certificate %s ends the attempt before anything is sent",
  async (_, certify) => {
    using other = openAuthority()
    await using receiver = await startRawReceiver(certify(other), () => {})
    expect(await attempt(outboundTo(authority, [at(receiver.port)]))).toMatchObject({
      outcome: "tls",
      status: null,
    })
    expect(receiver.requests).toBe(0)
  },
)

test("a receiver that does not speak TLS gets nothing", async () => {
  const said: Buffer[] = []
  await using receiver = await startTcpReceiver((socket) => {
    socket.on("data", (bytes) => {
      said.push(bytes)
      socket.end("HTTP/1.1 200 OK\r\n\r\n")
    })
  })
  expect((await attempt(outboundTo(authority, [at(receiver.port)]))).outcome).toBe("tls")
  expect(Buffer.concat(said).toString("latin1")).not.toContain("webhook")
})

test("an address that the rules of today refuse is not called, whatever was stored", async () => {
  await using inside = await startTcpReceiver(() => {})
  await using names = await startNameServer()
  const outbound = outboundTo(authority, [at(inside.port, "guichet.acme.fr")], {
    newResolver: names.newResolver,
  })
  const stored = [
    `https://127.0.0.1:${inside.port}/`,
    `http://${name}/`,
    "https://localhost/",
    "https://guichet.acme.fr/",
  ]
  for (const url of stored) expect((await attempt(outbound, url)).outcome).toBe("private_address")
  expect([inside.connections, names.asked]).toEqual([0, []])
})

test("a name without an address is dns, a name server that is silent is the time limit", async () => {
  await using names = await startNameServer({
    "empty.acme.fr": [],
    "broken.acme.fr": "SERVFAIL",
    "silent.acme.fr": "silence",
  })
  const outcome = async (host: string, limits = {}) => {
    const outbound = outboundTo(authority, [], { newResolver: names.newResolver, ...limits })
    return (await attempt(outbound, `https://${host}/`)).outcome
  }
  expect(await outcome("unknown.acme.fr")).toBe("dns")
  expect(await outcome("empty.acme.fr")).toBe("dns")
  expect(await outcome("broken.acme.fr")).toBe("dns")
  expect(await outcome("silent.acme.fr", { answerTimeoutMs: 100 })).toBe("timeout")
})

test("forty answers are all judged", async () => {
  const many = Array.from({ length: 40 }, (_, index) => `93.184.215.${index + 1}`)
  await using names = await startNameServer({ [name]: many })
  const outbound = outboundTo(authority, [], { newResolver: names.newResolver })
  const signal = new AbortController().signal
  expect((await outbound.resolve(name, signal)) as { targets: unknown[] }).toHaveProperty(
    "targets.length",
    40,
  )
  names.answers[name] = [...many, "10.0.0.1"]
  expect(await outbound.resolve(name, signal)).toMatchObject({ outcome: "private_address" })
})

test("no search domain and no hosts file is asked", async () => {
  await using names = await startNameServer()
  const outbound = outboundTo(authority, [], { newResolver: names.newResolver })
  for (const host of ["localhost", "hooks"])
    expect(await outbound.resolve(host, new AbortController().signal)).toMatchObject({ outcome: "dns" })
  expect(new Set(names.asked)).toEqual(new Set(["localhost", "hooks"]))
})

test("proxies and lax TLS in the environment change nothing", async () => {
  await using receiver = await startReceiver(authority, name)
  await using stranger = await startReceiver(authority, "other.acme.fr")
  await using proxy = await startTcpReceiver((socket) => socket.end("HTTP/1.1 502 x\r\n\r\n"))
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const environment = {
    GUICHET_WEBHOOK_RESOLVE: `${name}=127.0.0.1:${receiver.port},lax.acme.fr=127.0.0.1:${stranger.port}`,
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
    ...Object.fromEntries(
      ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY"].map((key) => [key, proxyUrl]),
    ),
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  }
  expect((await attemptIn(environment, `https://${name}/in`)).outcome).toBe("delivered")
  expect(proxy.connections).toBe(0)
  expect((await attemptIn(environment, "https://lax.acme.fr/in")).outcome).toBe("tls")
  expect(stranger.received).toEqual([])
  // That environment does lead others to the proxy.
  await attemptIn(environment, `https://${name}/in`, `http://hooks.acme.fr:${receiver.port}/`)
  expect(proxy.connections).toBe(1)
})

async function attemptIn(environment: Record<string, string>, ...argv: string[]): Promise<SendResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../support/attempt.ts"), ...argv], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdout: "pipe",
    stderr: "inherit",
  })
  return JSON.parse(await new Response(child.stdout).text())
}
