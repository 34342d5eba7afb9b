import { afterEach, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { systemClock } from "../../../../src/base/clock.ts"
import { isOwnBackDoor } from "../../../../src/outbound/resolve.ts"
import { contactUrlOf, openNetwork } from "../../../../src/reading/kinds/web/network.ts"
import { openSiteFetcher } from "../../../../src/reading/kinds/web/site-fetcher.ts"
import { openAuthority } from "../../../support/authority.ts"
import { hasIPv6 } from "../../../support/ipv6.ts"
import { nothingAborts, outcomeOf, requestSite, wanted } from "../../../support/request-site.ts"
import { page, startSite, testNetwork } from "../../../support/site.ts"

describe("only to addresses that were judged", () => {
  test("a private address is refused without a connection", async () => {
    await using site = startSite(() => page("Secret"))
    const network = openNetwork({
      clock: systemClock,
      allowPrivate: false,
      contactUrl: "https://guichet.example",
    })
    for (const host of ["127.0.0.1", "localhost", "[::1]", "127.1", "0x7f000001", "[::ffff:127.0.0.1]"]) {
      const detail = await outcomeOf(requestSite(site.url.replace("127.0.0.1", host), network))
      expect(detail, host).toMatch(
        /^failed: ([\d.:af[\]]+ is|localhost has) no public address: GUICHET_FEED_ALLOW_PRIVATE=true/,
      )
    }
    expect(site.log).toEqual([])
  })

  test("private networks are read where the setting allows it", async () => {
    await using site = startSite(() => page("Intranet"))
    const network = openNetwork({
      clock: systemClock,
      allowPrivate: true,
      contactUrl: "https://guichet.example",
    })
    expect((await requestSite(site.url.replace("127.0.0.1", "localhost"), network)).outcome).toBe("fetched")
    expect(site.headers[0]?.get("user-agent")).toMatch(
      /^Guichet\/\d+\.\d+\.\d+ \(\+https:\/\/guichet\.example\)$/,
    )
  })

  test("one private address among public ones refuses the name, and is not tried again", async () => {
    const network = testNetwork({ names: { "docs.test": ["93.184.215.14", "10.0.0.5"] } })
    network.mayConnectTo = (address) => address === "93.184.215.14"
    expect(await outcomeOf(requestSite("https://docs.test", network))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(network.slept).toEqual([])
  })

  test("nobody learns which names of an internal network there are, nor where they lead", async () => {
    const found = async (name: string) => {
      const network = testNetwork({ names: { "intern.test": ["10.0.0.5"] } })
      network.mayConnectTo = () => false
      const { resolve } = network
      network.resolve = (name, family) =>
        resolve(name, family).catch((error) => Promise.reject(Object.assign(error, { code: "ENOTFOUND" })))
      const detail = await outcomeOf(requestSite(`https://${name}`, network))
      return { detail: detail.replace(name, "NAME"), slept: network.slept }
    }
    expect(await found("intern.test")).toEqual(await found("nowhere.test"))
    expect(JSON.stringify(await found("intern.test"))).not.toContain("10.0.0.5")
  })

  test("of the machine's own public addresses only the ports of web sites are reached", async () => {
    await using site = startSite(() => page("Autre programme"))
    const { port } = new URL(site.url)
    expect(await isOwnBackDoor("127.0.0.1", Number(port))).toBe(true)
    expect(await isOwnBackDoor("93.184.215.14", Number(port))).toBe(false)
    for (const web of [80, 443]) expect(await isOwnBackDoor("127.0.0.1", web)).toBe(false)
    // As if the loopback address were a public one.
    const network = testNetwork({ names: { "docs.test": ["127.0.0.1"] }, limits: { retries: 0 } })
    network.mayConnectTo = async (address, port) => !(await isOwnBackDoor(address, port))
    expect(await outcomeOf(requestSite(`http://docs.test:${port}`, network))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(site.log).toEqual([])
    expect(await outcomeOf(requestSite("http://docs.test", network))).not.toContain("no public address")
  })

  test("a redirect to a name with a private address is refused", async () => {
    await using site = startSite({
      "/": () => Response.redirect(`http://intern.test:${new URL(site.url).port}/`, 302),
    })
    const network = testNetwork({ names: { "intern.test": ["127.0.0.2"] } })
    network.mayConnectTo = (address) => address === "127.0.0.1"
    const detail = await outcomeOf(
      requestSite(site.url, network, [`http://intern.test:${new URL(site.url).port}`]),
    )
    expect(detail).toStartWith("failed: intern.test has no public address")
  })

  test("a name that changes its address is judged anew, and never connected to unjudged", async () => {
    await using site = startSite(() => page("A"))
    const answers = [["127.0.0.1"], ["127.0.0.2"]]
    const network = {
      ...testNetwork(),
      resolve: async (_name: string, family: number) => (family === 4 ? (answers.shift() ?? []) : []),
    }
    network.mayConnectTo = (address) => address === "127.0.0.1"
    const start = new URL(site.url.replace("127.0.0.1", "docs.test"))
    const fetcher = openSiteFetcher([start.origin], network)
    for (let count = 0; count < 3; count++)
      expect((await fetcher.request(start, wanted, nothingAborts)).outcome).toBe("fetched")
    expect(answers).toHaveLength(1)
    network.clock.move(60_000)
    expect(await outcomeOf(fetcher.request(start, wanted, nothingAborts))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(site.log).toHaveLength(3)
  })

  test.skipIf(!hasIPv6)("an IPv6 address is connected to as such", async () => {
    await using server = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("six") })
    const network = testNetwork({ names: { "docs.test": ["::1"] } })
    for (const host of ["docs.test", "[::1]"])
      expect((await requestSite(`http://${host}:${server.port}`, network)).outcome).toBe("fetched")
  })

  test("the certificate is checked against the name, the connection goes to the judged address", async () => {
    using authority = openAuthority()
    const tls = authority.certify(["docs.test"])
    await using server = serveTls(tls)
    const names = { "docs.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] }
    const network = {
      ...testNetwork({ names, limits: { retries: 0 } }),
      ca: readFileSync(authority.caFile, "utf8"),
    }
    expect((await requestSite(`https://docs.test:${server.port}`, network)).outcome).toBe("fetched")
    expect(server.hosts).toEqual([`docs.test:${server.port}`])
    expect(await outcomeOf(requestSite(`https://other.test:${server.port}`, network))).toMatch(
      /^failed: .*ERR_TLS_CERT_ALTNAME_INVALID/,
    )
    const suspicious = testNetwork({ names, limits: { retries: 0 } })
    expect(await outcomeOf(requestSite(`https://docs.test:${server.port}`, suspicious))).toMatch(
      /^failed: .*CERT|SIGN|ISSUER/,
    )
    expect(server.hosts).toHaveLength(1)
  })

  describe("proxies of the environment", () => {
    const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"]
    afterEach(() => {
      for (const name of proxies) delete process.env[name]
    })

    test("are not obeyed", async () => {
      await using proxy = startSite(() => page("Proxy"))
      await using site = startSite(() => page("Direct"))
      for (const name of proxies) process.env[name] = proxy.url
      const network = testNetwork({ names: { "docs.test": ["127.0.0.1"] } })
      expect((await requestSite(site.url.replace("127.0.0.1", "docs.test"), network)).outcome).toBe("fetched")
      expect(proxy.log).toEqual([])
    })
  })
})

describe("only to the origins given", () => {
  test.each([
    ["another host", (url: string) => url.replace("127.0.0.1", "127.0.0.2")],
    ["another port", () => "http://127.0.0.1:1/"],
    ["a user name and password", (url: string) => url.replace("//", "//user:password@")],
    ["another scheme", () => "file:///etc/passwd"],
    ["data", () => "data:text/html,<h1>x"],
  ])("not %s, not by a redirect either", async (_, elsewhere) => {
    await using site = startSite({
      "/away": () => new Response("", { status: 302, headers: { location: elsewhere(site.url) } }),
    })
    const fetcher = openSiteFetcher([site.url], testNetwork())
    const direct = await fetcher.request(new URL(elsewhere(site.url)), wanted, nothingAborts)
    const redirected = await fetcher.request(new URL("/away", site.url), wanted, nothingAborts)
    expect([direct, redirected].map((found) => "reason" in found && found.reason)).toEqual([
      "foreign_host",
      "foreign_host",
    ])
    expect(site.log).toEqual(["GET /away"])
  })

  test("five redirects are followed, not six", async () => {
    await using site = startSite(({ pathname }) => {
      const left = Number(pathname.slice(1))
      return left === 0 ? page("Fin") : Response.redirect(`/${left - 1}`, 307)
    })
    expect((await requestSite(`${site.url}/5`)).outcome).toBe("fetched")
    expect(await outcomeOf(requestSite(`${site.url}/6`))).toBe("failed: more than 5 redirects")
  })
})

describe("a server that misbehaves", () => {
  const quick = { retries: 0, stallTimeoutMs: 60, wholeTimeoutMs: 250 }

  test("says nothing", async () => {
    await using site = startSite(() => () => new Promise<Response>(() => {}))
    const detail = await outcomeOf(requestSite(site.url, testNetwork({ limits: quick })))
    expect(detail).toBe("failed: nothing received for 0.06 seconds")
  })

  test("stops in the middle of a page", async () => {
    await using site = startSite(
      () => () => streamed(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(10)) })),
    )
    const detail = await outcomeOf(requestSite(site.url, testNetwork({ limits: quick })))
    expect(detail).toBe("failed: nothing received for 0.06 seconds")
  })

  test("sends a byte at a time, for ever", async () => {
    await using site = startSite(
      () => () =>
        streamed(
          new ReadableStream({
            async pull(body) {
              await Bun.sleep(5)
              body.enqueue(new Uint8Array(1))
            },
          }),
        ),
    )
    const detail = await outcomeOf(
      requestSite(site.url, testNetwork({ limits: { ...quick, stallTimeoutMs: 60_000 } })),
    )
    expect(detail).toBe("failed: not complete after 0.25 seconds")
  })

  test("closes the connection", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end() },
    })
    const network = testNetwork()
    expect(await outcomeOf(requestSite(`http://127.0.0.1:${listener.port}`, network))).toMatch(
      /^failed: ECONN/,
    )
    expect(network.slept).toHaveLength(network.limits.retries)
  })

  test("speaks something else than HTTP", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("SSH-2.0-OpenSSH\r\n") },
    })
    expect((await requestSite(`http://127.0.0.1:${listener.port}`)).outcome).toBe("failed")
  })

  test("breaks off before the announced end", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<h1>Tron"),
      },
    })
    expect((await requestSite(`http://127.0.0.1:${listener.port}`)).outcome).toBe("failed")
  })

  test.each([
    [
      "an encoding nobody asked for",
      "br",
      Buffer.from("x"),
      "failed: sent in the encoding br, which was not asked for",
    ],
    ["gzip that is none", "gzip", Buffer.from("<h1>x"), "failed: Z_DATA_ERROR"],
    [
      "gzip that is cut off",
      "gzip",
      gzipSync(Buffer.alloc(5000, "abc")).subarray(0, 30),
      "failed: Z_BUF_ERROR",
    ],
    ["gzip of far too much", "gzip", gzipSync(Buffer.alloc(50_000_000)), "left_out: more than 100,000 bytes"],
  ])("sends %s", async (_, encoding, body, expected) => {
    await using site = startSite(() => new Response(body, { headers: { "content-encoding": encoding } }))
    expect(await outcomeOf(requestSite(site.url))).toBe(expected)
  })

  test("never stops sending", async () => {
    let sent = 0
    await using site = startSite(() => () => {
      const body = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1)
          sent += 1000
          controller.enqueue(new Uint8Array(1000))
        },
      })
      return new Response(body, { headers: { "content-type": "text/html" } })
    })
    expect(await outcomeOf(requestSite(site.url))).toBe("left_out: more than 100,000 bytes")
    expect(sent).toBeLessThan(400_000)
  })
})

test("sites are told where to ask about the program, never at an address that leads nobody there", () => {
  expect(contactUrlOf("https://guichet.exemple.fr", "https://docs.exemple.fr")).toBe(
    "https://guichet.exemple.fr",
  )
  for (const local of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])
    expect(contactUrlOf(local, "https://docs.exemple.fr")).toBe("https://docs.exemple.fr")
})

function streamed(body: ReadableStream): Response {
  return new Response(body, { headers: { "content-type": "text/html" } })
}

function serveTls(tls: { cert: string; key: string }) {
  const hosts: (string | null)[] = []
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls,
    fetch(request) {
      hosts.push(request.headers.get("host"))
      return new Response(page("Sûr"), { headers: { "content-type": "text/html" } })
    },
  })
  return { port: server.port, hosts, [Symbol.asyncDispose]: () => server.stop(true) }
}
