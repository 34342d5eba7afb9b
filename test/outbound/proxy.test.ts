import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { systemClock } from "../../src/base/clock.ts"
import { readConfig } from "../../src/config/config.ts"
import type { Check } from "../../src/ops/checks/check.ts"
import type { OutboundProxy } from "../../src/outbound/proxy.ts"
import { isPublicSite } from "../../src/outbound/resolve.ts"
import { openOutbound } from "../../src/webhooks/delivery/outbound.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { type ConnectProxy, startConnectProxy } from "../support/connect-proxy.ts"
import { type NameServer, startNameServer } from "../support/dns.ts"
import { startModelServer } from "../support/models/server.ts"
import { attempt, depsOf, name } from "../support/outbound.ts"
import { startRawReceiver } from "../support/raw-receiver.ts"
import { outcomeOf, requestSite } from "../support/request-site.ts"
import { temporaryFolder } from "../support/service.ts"
import { page, startSite, testNetwork } from "../support/site.ts"

let authority: Authority
let ca: string
beforeAll(() => {
  authority = openAuthority()
  ca = readFileSync(authority.caFile, "utf8")
})
afterAll(() => authority[Symbol.dispose]())

const publicAddress = "93.184.215.14"

function settingOf(value: string): OutboundProxy | undefined {
  return readConfig({ GUICHET_OUTBOUND_PROXY: value }).secrets.outboundProxy
}

describe("a webhook", () => {
  const accept = () =>
    startRawReceiver(authority.certify([name]), (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    )
  const senderBy = (proxy: string, names: NameServer) =>
    openOutbound(
      { fixedTargets: [], ca, proxy: settingOf(proxy) },
      "https://guichet.acme.fr",
      { ...depsOf(systemClock), log: { warn() {} } as never },
      { newResolver: names.newResolver },
    )

  test("reaches the judged address by a tunnel, with the certificate checked against the name", async () => {
    await using receiver = await accept()
    await using proxy = await startConnectProxy(receiver.port)
    await using names = await startNameServer({ [name]: [publicAddress] })
    const outbound = senderBy(proxy.url.replace("//", "//acme:s%40cret@"), names)
    for (let number = 0; number < 2; number++) expect((await attempt(outbound)).outcome).toBe("delivered")
    // The second one over the connection that was kept.
    expect(proxy.asked).toEqual([`CONNECT ${publicAddress}:443 HTTP/1.1`])
    expect(proxy.proofs).toEqual([`Basic ${btoa("acme:s@cret")}`])
    expect(receiver.requests).toBe(2)
  })

  test("to a name that leads inwards asks the proxy for nothing", async () => {
    await using receiver = await accept()
    await using proxy = await startConnectProxy(receiver.port)
    await using names = await startNameServer()
    const outbound = senderBy(proxy.url, names)
    for (const inward of [["10.0.0.5"], ["127.0.0.1"], [publicAddress, "192.168.1.1"], ["fd00::1"]]) {
      names.answers[name] = inward
      expect((await attempt(outbound)).outcome).toBe("private_address")
    }
    expect(proxy.asked).toEqual([])
  })

  test("with a wrong certificate behind the tunnel is not sent", async () => {
    await using receiver = await startRawReceiver(authority.certify(["other.acme.fr"]), () => {})
    await using proxy = await startConnectProxy(receiver.port)
    await using names = await startNameServer({ [name]: [publicAddress] })
    expect(await attempt(senderBy(proxy.url, names))).toMatchObject({
      outcome: "tls",
      cause: "certificate_name",
    })
    expect(receiver.requests).toBe(0)
  })

  const refusals: [string, (proxy: ConnectProxy) => unknown, cause: string][] = [
    [
      "refuses addresses",
      (proxy) => (proxy.answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
      "proxy",
    ],
    [
      "wants to know who asks",
      (proxy) => (proxy.answer = "HTTP/1.1 407 Authentication Required\r\n\r\n"),
      "proxy",
    ],
    ["is none", (proxy) => (proxy.answer = "220 mail.acme.fr ESMTP\r\n\r\n"), "proxy"],
    [
      "says more than its answer",
      (proxy) => (proxy.answer = "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
      "proxy",
    ],
    ["closes without a word", (proxy) => (proxy.answer = ""), "proxy"],
    ["breaks the tunnel off", (proxy) => (proxy.breaksOff = true), "closed"],
    ["is away", (proxy) => proxy[Symbol.asyncDispose](), "proxy"],
  ]

  test.each(refusals)("by a proxy that %s has found no connection, and tells why", async (_, make, cause) => {
    await using receiver = await accept()
    await using proxy = await startConnectProxy(receiver.port)
    await using names = await startNameServer({ [name]: [publicAddress] })
    await make(proxy)
    expect(await attempt(senderBy(proxy.url, names))).toMatchObject({ outcome: "connection", cause })
    expect(receiver.requests).toBe(0)
  })
})

describe("a page of a feed", () => {
  const names = { "docs.test": [publicAddress], "intranet.test": ["127.0.0.1"] }
  const networkBy = ({ url }: ConnectProxy) => ({
    ...testNetwork({ names, limits: { retries: 0 } }),
    ca,
    proxy: settingOf(url),
  })

  test.each([true, false])("is read through the tunnel (https: %p)", async (isSecured) => {
    await using site = startSite(
      { "/": page("Aide") },
      isSecured ? authority.certify(["docs.test"]) : undefined,
    )
    await using proxy = await startConnectProxy(Number(new URL(site.url).port))
    const network = { ...networkBy(proxy), mayConnectTo: isPublicSite }
    const address = `${isSecured ? "https" : "http"}://docs.test`
    expect((await requestSite(address, network)).outcome).toBe("fetched")
    expect(proxy.asked).toEqual([`CONNECT ${publicAddress}:${isSecured ? 443 : 80} HTTP/1.1`])
  })

  test("of a private network that may be read is reached without the proxy", async () => {
    await using site = startSite({ "/": page("Intranet") })
    await using proxy = await startConnectProxy(1)
    const address = site.url.replace("127.0.0.1", "intranet.test")
    expect((await requestSite(address, networkBy(proxy))).outcome).toBe("fetched")
    expect(proxy.asked).toEqual([])
  })

  test("that the proxy refuses says which setting names the proxy", async () => {
    await using proxy = await startConnectProxy(1)
    proxy.answer = "HTTP/1.1 403 Forbidden\r\n\r\n"
    expect(await outcomeOf(requestSite("http://docs.test", networkBy(proxy)))).toMatch(
      /no connection \(PROXY_ANSWERED_403\): GUICHET_OUTBOUND_PROXY names it/,
    )
  })
})

describe("a model", () => {
  async function checkedBy({ url }: ConnectProxy, more: Record<string, string>): Promise<Check | undefined> {
    using folder = temporaryFolder()
    using secrets = temporaryFolder()
    const file = join(secrets.path, "proxy")
    writeFileSync(file, `${url}\n`)
    const environment = {
      GUICHET_DATA_DIR: folder.path,
      GUICHET_OUTBOUND_PROXY_FILE: file,
      NODE_EXTRA_CA_CERTS: authority.caFile,
      ...more,
    }
    const { stdout } = await guichet(["check", "--json"], environment)
    return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ name }) => name === "model")
  }

  test("elsewhere is asked through the proxy, one of this machine directly", async () => {
    await using model = startModelServer("gemini", undefined, authority.certify(["models.test", "127.0.0.1"]))
    const { port } = new URL(model.url)
    await using proxy = await startConnectProxy(Number(port))
    const elsewhere = { ...model.environment, GUICHET_GEMINI_BASE_URL: `https://models.test:${port}` }
    expect((await checkedBy(proxy, elsewhere))?.state).toBe("ok")
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT models.test:${port} HTTP/1.1`]))
    proxy.asked.length = 0
    expect((await checkedBy(proxy, model.environment))?.state).toBe("ok")
    expect(proxy.asked).toEqual([])
  })
})

test.each([
  "https://user:secret@proxy:3128",
  "proxy:3128",
  "http://user:secret@proxy:3128/path",
  "http://u:%zz@p",
])("%s is no proxy, and its password stays unsaid", (value) => {
  expect(() => settingOf(value)).toThrow(/GUICHET_OUTBOUND_PROXY is not an address such as http:/)
  expect(() => settingOf(value)).not.toThrow(/secret/)
})
