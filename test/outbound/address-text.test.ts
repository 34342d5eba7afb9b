import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { checkAddress } from "../../src/outbound/address-text.ts"
import { domainLookup, openResolve, type Resolution, type Resolver } from "../../src/outbound/resolve.ts"

interface Row {
  address: string
  verdict: string
  reason: string
}

const rows: Row[] = readFileSync(join(import.meta.dir, "addresses.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "))
  .map((line) => {
    const [address, verdict = "", reason = ""] = line.split("\t")
    return { address: JSON.parse(`"${address}"`), verdict, reason }
  })

const ownHost = "guichet.acme.fr"

test("the list of addresses is whole", () => {
  expect(rows.length).toBeGreaterThan(250)
  expect(new Set(rows.map((row) => row.verdict))).toEqual(new Set(["accept", "refuse"]))
})

test.each(rows.map((row) => ({ ...row, shown: JSON.stringify(row.address.slice(0, 80)) })))(
  "$verdict $shown ($reason)",
  async ({ address, verdict, reason }) => {
    const resolver = stub(reason)
    const first = await judge(address, resolver)
    if (reason.startsWith("parse:")) expect(resolver.asked).toBe(0)
    const rebinds = /^dns=[^ ]*>/.test(reason)
    expect(first).toBe(rebinds ? "accept" : verdict)
    if (rebinds) expect(await judge(address, resolver)).toBe("refuse")
  },
)

test("rules that the list only samples", () => {
  const refused: Record<string, string[]> = {
    // The parser folds these to ASCII; `ſ` would even pass a careless /https/iu.
    https: ["http\u017f://acme.fr/", "\uff48ttps://acme.fr/", "https\uff1a//acme.fr/", "//acme.fr/"],
    unreadable: [
      "https://acme.fr/a b",
      "https://acme.fr/\u00a0",
      "https://acme.fr/\ud800",
      "https://acme.fr/\ue000",
    ],
    name: [
      "https://hoo\u212as.acme.fr/",
      "https://acme.\ufb01/",
      "https://bu\u0308cher.de/",
      "https://acme..fr/",
      "https://acme.fr./",
      "https://.acme.fr/",
      "https://acme-.fr/",
      "https://xn--a.fr/",
      `https://${"a.".repeat(126)}acme.fr/`,
      "https://acme.zz/",
      "https://www.kobe.jp/",
      "https://acme\u2044x.fr/",
      "https://xn--acmex-g33b.fr/",
    ],
    ip: ["https://1.2.3.0x/", "https://\u0661\u0662\u0667.0.0.1/", "https://[::]/", "https://0x7f.1:443/"],
    internal: [
      "https://x.onion/",
      "https://home.arpa/",
      "https://nas.lan/",
      "https://acme.INTERNAL/",
      "https://fr/",
    ],
    port: ["https://acme.fr:/", "https://acme.fr:0443/", "https://acme.fr:+443/", "https://acme.fr:443 /"],
    own: ["https://guichet.acme.fr/", "https://GUICHET.acme.fr:443/f/x"],
    too_long: [`https://acme.fr/${"a".repeat(2033)}`],
  }
  for (const [rule, addresses] of Object.entries(refused))
    for (const address of addresses) {
      const judged = checkAddress(address, ownHost)
      if (rule === "port" && address.includes(" ")) expect(judged).toEqual({ refused: "unreadable" })
      else expect([address, judged]).toEqual([address, { refused: rule } as typeof judged])
    }
})

test("an accepted address is kept as it will be called", () => {
  const kept = (address: string) => (checkAddress(address, ownHost) as { href: string }).href
  expect(kept("HTTPS://Hooks.ACME.fr:443/In")).toBe("https://hooks.acme.fr/In")
  expect(kept("https://bücher.de/é?q=ü&a[]=1")).toBe("https://xn--bcher-kva.de/%C3%A9?q=%C3%BC&a[]=1")
  for (const path of ["//a", "/a/../b", "/a/./b/", "/%2e%2E/%2f", "/a;b=1", "/?", "/a?b=/../c&&d='"])
    expect(kept(`https://acme.fr${path}`)).toBe(`https://acme.fr${path}`)
  expect(kept("https://acme.fr?q=1")).toBe("https://acme.fr/?q=1")
  expect(kept('https://acme.fr/{a}|"b"')).toBe("https://acme.fr/%7Ba%7D%7C%22b%22")
  expect(kept(`https://acme.fr/${"a".repeat(2032)}`)).toHaveLength(2048)
  expect(kept("https://other.guichet.acme.fr/")).toBe("https://other.guichet.acme.fr/")
})

test("a resolver that never answers does not hold the guard", async () => {
  const never = () => new Promise<string[]>(() => {})
  let cancelled = false
  const silent: Resolver = { resolve4: never, resolve6: never, cancel: () => (cancelled = true) }
  const resolution = await resolve(silent, "acme.fr", AbortSignal.timeout(1))
  expect(cancelled).toBe(true)
  expect(resolution).toEqual({ outcome: "timeout", temporary: true })
})

test("one family that fails does not hide the other", async () => {
  const half: Resolver = {
    resolve4: () => Promise.resolve(["93.184.215.14"]),
    resolve6: () => Promise.reject(failure("ESERVFAIL")),
    cancel: () => {},
  }
  expect(await resolve(half, "acme.fr")).toEqual({
    targets: [{ ip: "93.184.215.14", port: 443 }],
  })
})

async function judge(address: string, resolver: Resolver): Promise<string> {
  const judged = checkAddress(address, ownHost)
  if ("refused" in judged) return "refuse"
  const resolution = await resolve(resolver, judged.host)
  return "targets" in resolution ? "accept" : "refuse"
}

function resolve(
  resolver: Resolver,
  host: string,
  signal = new AbortController().signal,
): Promise<Resolution> {
  return openResolve({ lookup: domainLookup(() => resolver) })(host, 443, signal)
}

/** Resolves as the reason of a row says (`dns=A,B: …`, `dns=A>B: …`), else to one public address. */
function stub(reason: string): Resolver & { asked: number } {
  const [, told = "93.184.215.14"] = /^dns=(.*?): /.exec(reason) ?? []
  const rounds = told.split(">")
  const counts = { 4: 0, 6: 0 }
  const resolver = {
    asked: 0,
    resolve4: () => answer(4),
    resolve6: () => answer(6),
    cancel: () => {},
  }

  async function answer(family: 4 | 6): Promise<string[]> {
    resolver.asked++
    const round = rounds[Math.min(counts[family]++, rounds.length - 1)] as string
    if (round === "NXDOMAIN") throw failure("ENOTFOUND")
    if (round === "SERVFAIL") throw failure("ESERVFAIL")
    const ips = round.split(",").filter((ip) => ip.includes(":") === (family === 6))
    if (ips.length === 0) throw failure("ENODATA")
    return ips
  }

  return resolver
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}
