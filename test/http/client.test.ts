import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Server } from "bun"
import { clientReader, rememberPeer, visitorAddress } from "../../src/http/client.ts"

/** A real server whose connections all come from 127.0.0.1. */
let server: Server<undefined>
let trusted: string[] = []

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      rememberPeer(request, server)
      return new Response(clientReader(trusted)(request))
    },
  })
})

afterAll(() => server.stop(true))

async function clientSeen(proxies: string[], forwarded?: string): Promise<string> {
  trusted = proxies
  const reply = await fetch(server.url, {
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  })
  return reply.text()
}

describe("the client's address", () => {
  test("is the connection's own when no proxy is trusted, whatever the header says", async () => {
    expect(await clientSeen([], "203.0.113.9")).toBe("127.0.0.1")
  })

  test("is read from X-Forwarded-For behind a trusted proxy", async () => {
    expect(await clientSeen(["127.0.0.0/8"], "203.0.113.9")).toBe("203.0.113.9")
  })

  test("is the rightmost that no trusted proxy has", async () => {
    expect(await clientSeen(["127.0.0.1", "10.0.0.0/8"], "198.51.100.1, 203.0.113.9, 10.1.2.3")).toBe(
      "203.0.113.9",
    )
  })

  test("stops at what is not an address", async () => {
    expect(await clientSeen(["127.0.0.1"], "203.0.113.9, unknown")).toBe("127.0.0.1")
  })

  test("may carry a port, brackets or IPv4 mapped into IPv6", async () => {
    expect(await clientSeen(["127.0.0.1"], "203.0.113.9:4711")).toBe("203.0.113.9")
    expect(await clientSeen(["127.0.0.1"], "[2001:db8::1]:4711")).toBe("2001:db8::1")
    expect(await clientSeen(["127.0.0.1"], "::ffff:203.0.113.9")).toBe("203.0.113.9")
  })
})

test("a visitor on IPv6 is known by the /64, on IPv4 by the address", () => {
  expect(visitorAddress("2001:db8:1:2:3:4:5:6")).toBe(visitorAddress("2001:db8:1:2::9"))
  expect(visitorAddress("2001:db8:1:2::9")).not.toBe(visitorAddress("2001:db8:1:3::9"))
  expect(visitorAddress("203.0.113.9")).toBe("203.0.113.9")
})
