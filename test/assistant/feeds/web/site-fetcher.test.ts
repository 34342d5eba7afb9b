import { afterEach, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { gzipSync } from "node:zlib"
import { contactUrlOf, type Network, openNetwork } from "../../../../src/assistant/feeds/web/network.ts"
import { openSiteFetcher } from "../../../../src/assistant/feeds/web/site-fetcher.ts"
import { systemClock } from "../../../../src/base/clock.ts"
import { isOwnBackDoor } from "../../../../src/outbound/own-address.ts"
import { inEnglish } from "../../../../src/wording/english.ts"
import { openAuthority } from "../../../support/authority.ts"
import { html, page, startSite, testNetwork } from "../../../support/site.ts"

const wanted = { method: "GET", accept: "text/html", maxBytes: 100_000 } as const
const nothingAborts = new AbortController().signal
const hasIPv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === "::1"),
)

/** Requests one address by a fetcher for its own origin and the others given. */
function request(address: string, network: Network = testNetwork(), origins: string[] = []) {
  return openSiteFetcher([address, ...origins], network).request(new URL(address), wanted, nothingAborts)
}

async function detailOf(reply: ReturnType<typeof request>): Promise<string> {
  const found = await reply
  return "detail" in found && found.detail ? `${found.outcome}: ${inEnglish(found.detail)}` : found.outcome
}

describe("only to addresses that were judged", () => {
  test("a private address is refused without a connection", async () => {
    await using site = startSite(() => page("Secret"))
    const network = openNetwork({
      clock: systemClock,
      allowPrivate: false,
      contactUrl: "https://guichet.example",
    })
    for (const host of ["127.0.0.1", "localhost", "[::1]", "127.1", "0x7f000001", "[::ffff:127.0.0.1]"]) {
      const detail = await detailOf(request(site.url.replace("127.0.0.1", host), network))
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
    expect((await request(site.url.replace("127.0.0.1", "localhost"), network)).outcome).toBe("fetched")
    expect(site.headers[0]?.get("user-agent")).toMatch(
      /^Guichet\/\d+\.\d+\.\d+ \(\+https:\/\/guichet\.example\)$/,
    )
  })

  test("one private address among public ones refuses the name, and is not tried again", async () => {
    const network = testNetwork({ names: { "docs.test": ["93.184.215.14", "10.0.0.5"] } })
    network.mayConnectTo = (address) => address === "93.184.215.14"
    expect(await detailOf(request("https://docs.test", network))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(network.slept).toEqual([])
  })

  test("nobody learns which names of an internal network there are, nor where they lead", async () => {
    const found = async (name: string) => {
      const network = testNetwork({ names: { "intern.test": ["10.0.0.5"] } })
      network.mayConnectTo = () => false
      const { resolve } = network
      network.resolve = (name) =>
        resolve(name).catch((error) => Promise.reject(Object.assign(error, { code: "ENOTFOUND" })))
      const detail = await detailOf(request(`https://${name}`, network))
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
    expect(await detailOf(request(`http://docs.test:${port}`, network))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(site.log).toEqual([])
    expect(await detailOf(request("http://docs.test", network))).not.toContain("no public address")
  })

  test("a redirect to a name with a private address is refused", async () => {
    await using site = startSite({
      "/": () => Response.redirect(`http://intern.test:${new URL(site.url).port}/`, 302),
    })
    const network = testNetwork({ names: { "intern.test": ["127.0.0.2"] } })
    network.mayConnectTo = (address) => address === "127.0.0.1"
    const detail = await detailOf(
      request(site.url, network, [`http://intern.test:${new URL(site.url).port}`]),
    )
    expect(detail).toStartWith("failed: intern.test has no public address")
  })

  test("a name that changes its address is judged anew, and never connected to unjudged", async () => {
    await using site = startSite(() => page("A"))
    const answers = [["127.0.0.1"], ["127.0.0.2"]]
    const network = { ...testNetwork(), resolve: async () => answers.shift() as string[] }
    network.mayConnectTo = (address) => address === "127.0.0.1"
    const start = new URL(site.url.replace("127.0.0.1", "docs.test"))
    const fetcher = openSiteFetcher([start.origin], network)
    for (let count = 0; count < 3; count++)
      expect((await fetcher.request(start, wanted, nothingAborts)).outcome).toBe("fetched")
    expect(answers).toHaveLength(1)
    network.clock.move(60_000)
    expect(await detailOf(fetcher.request(start, wanted, nothingAborts))).toStartWith(
      "failed: docs.test has no public address",
    )
    expect(site.log).toHaveLength(3)
  })

  test.skipIf(!hasIPv6)("an IPv6 address is connected to as such", async () => {
    await using server = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("six") })
    const network = testNetwork({ names: { "docs.test": ["::1"] } })
    for (const host of ["docs.test", "[::1]"])
      expect((await request(`http://${host}:${server.port}`, network)).outcome).toBe("fetched")
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
    expect((await request(`https://docs.test:${server.port}`, network)).outcome).toBe("fetched")
    expect(server.hosts).toEqual([`docs.test:${server.port}`])
    expect(await detailOf(request(`https://other.test:${server.port}`, network))).toBe(
      "failed: ERR_TLS_CERT_ALTNAME_INVALID",
    )
    const suspicious = testNetwork({ names, limits: { retries: 0 } })
    expect(await detailOf(request(`https://docs.test:${server.port}`, suspicious))).toMatch(
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
      expect((await request(site.url.replace("127.0.0.1", "docs.test"), network)).outcome).toBe("fetched")
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
    expect((await request(`${site.url}/5`)).outcome).toBe("fetched")
    expect(await detailOf(request(`${site.url}/6`))).toBe("failed: more than 5 redirects")
  })
})

describe("a server that misbehaves", () => {
  const quick = { retries: 0, stallTimeoutMs: 60, wholeTimeoutMs: 250 }

  test("says nothing", async () => {
    await using site = startSite(() => () => new Promise<Response>(() => {}))
    const detail = await detailOf(request(site.url, testNetwork({ limits: quick })))
    expect(detail).toBe("failed: nothing received for 0.06 seconds")
  })

  test("stops in the middle of a page", async () => {
    await using site = startSite(
      () => () => streamed(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(10)) })),
    )
    const detail = await detailOf(request(site.url, testNetwork({ limits: quick })))
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
    const detail = await detailOf(
      request(site.url, testNetwork({ limits: { ...quick, stallTimeoutMs: 60_000 } })),
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
    expect(await detailOf(request(`http://127.0.0.1:${listener.port}`, network))).toMatch(/^failed: ECONN/)
    expect(network.slept).toHaveLength(network.limits.retries)
  })

  test("speaks something else than HTTP", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("SSH-2.0-OpenSSH\r\n") },
    })
    expect((await request(`http://127.0.0.1:${listener.port}`)).outcome).toBe("failed")
  })

  test("breaks off before the announced end", async () => {
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<h1>Tron"),
      },
    })
    expect((await request(`http://127.0.0.1:${listener.port}`)).outcome).toBe("failed")
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
    expect(await detailOf(request(site.url))).toBe(expected)
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
    expect(await detailOf(request(site.url))).toBe("left_out: more than 100,000 bytes")
    expect(sent).toBeLessThan(400_000)
  })
})

describe("what may pass is tried again", () => {
  test("after one second, then after four more", async () => {
    const statuses = [503, 500, 200]
    await using site = startSite(() => () => new Response("x", { status: statuses.shift() as number }))
    const network = testNetwork()
    expect((await request(site.url, network)).outcome).toBe("fetched")
    expect(network.slept.reduce((sum, ms) => sum + ms, 0)).toBe(5000)
  })

  test("three times in all", async () => {
    await using site = startSite(() => new Response("", { status: 500 }))
    expect(await detailOf(request(site.url))).toBe("failed: answered 500")
    expect(site.log).toHaveLength(3)
  })

  test.each([400, 401, 403, 404, 410, 418])("but not %d", async (status) => {
    await using site = startSite(() => new Response("", { status }))
    await request(site.url)
    expect(site.log).toHaveLength(1)
  })

  test("when Retry-After says, in seconds or as a date", async () => {
    const network = testNetwork()
    const date = new Date(network.clock.now() + 37_000).toUTCString()
    const answers = [
      new Response("", { status: 429, headers: { "retry-after": "7" } }),
      new Response("", { status: 503, headers: { "retry-after": date } }),
      html(page("Enfin")),
    ]
    await using site = startSite(() => answers.shift() as Response)
    const startedMs = network.clock.now()
    expect((await request(site.url, network)).outcome).toBe("fetched")
    expect(network.slept).toEqual([7000, 30_000])
    expect(network.clock.now() - startedMs).toBe(37_000)
  })

  test("but not when Retry-After asks for an hour", async () => {
    await using site = startSite(() => new Response("", { status: 429, headers: { "retry-after": "3600" } }))
    expect(await detailOf(request(site.url))).toBe("failed: asks to come back in 3600 seconds")
    expect(site.log).toHaveLength(1)
  })

  test("at the next address of the host, which is then remembered", async () => {
    await using site = startSite(() => page("A"))
    const network = testNetwork({ names: { "docs.test": ["127.0.0.77", "127.0.0.1"] } })
    const start = new URL(site.url.replace("127.0.0.1", "docs.test"))
    const fetcher = openSiteFetcher([start.origin], network)
    for (let count = 0; count < 3; count++) {
      expect((await fetcher.request(start, wanted, nothingAborts)).outcome).toBe("fetched")
      network.clock.move(1000)
    }
    expect(network.slept).toEqual([1000])
  })

  test("until a host stays silent ten times in a row: then it counts as down", async () => {
    await using site = startSite(() => new Response("", { status: 503 }))
    const fetcher = openSiteFetcher([site.url], testNetwork({ limits: { retries: 0 } }))
    const details: string[] = []
    for (let count = 0; count < 12; count++)
      details.push(await detailOf(fetcher.request(new URL(site.url), wanted, nothingAborts)))
    expect(details.slice(0, 10)).toEqual(Array(10).fill("failed: answered 503"))
    expect(details.slice(10)).toEqual(Array(2).fill(`failed: ${site.host} no longer answers`))
    expect(site.log).toHaveLength(10)
  })

  test("but neither errors of single pages nor silences with answers between make a host count as down", async () => {
    const statuses: Record<string, number> = { "/error": 500, "/silent": 503, "/good": 200 }
    await using site = startSite(
      ({ pathname }) => new Response("x", { status: statuses[pathname] as number }),
    )
    const fetcher = openSiteFetcher([site.url], testNetwork({ limits: { retries: 0 } }))
    const requests = (path: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => fetcher.request(new URL(path, site.url), wanted, nothingAborts)),
      )
    await requests("/error", 12)
    for (let round = 0; round < 3; round++) {
      await requests("/silent", 9)
      expect((await requests("/good", 1))[0]?.outcome).toBe("fetched")
    }
  })
})

test("an abort ends a request while it waits, with the reason given", async () => {
  const controller = new AbortController()
  await using site = startSite(() => new Response("", { status: 503, headers: { "retry-after": "60" } }))
  const real = openNetwork({ clock: systemClock, allowPrivate: true, contactUrl: "https://guichet.example" })
  const waits = Promise.withResolvers<void>()
  const network: Network = {
    ...real,
    sleep(ms, signal) {
      waits.resolve()
      return real.sleep(ms, signal)
    },
  }
  const reply = openSiteFetcher([site.url], network).request(new URL(site.url), wanted, controller.signal)
  await waits.promise
  controller.abort(new Error("stopped by hand"))
  await expect(reply).rejects.toThrow("stopped by hand")
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
