import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { isPublicAddress } from "../../src/outbound/public-address.ts"

const shared = await Bun.file(join(import.meta.dir, "addresses.tsv")).text()

/** Every list of addresses that a name of the shared file resolves to, with the verdict it must get. */
const resolved = shared
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "))
  .flatMap((line) => {
    const [url = "", verdict, reason = ""] = line.split("\t")
    const answers = /^dns=([0-9a-fA-F.:,>]+): /.exec(reason)?.[1]
    return answers ? [{ url, accepted: verdict === "accept", addresses: answers.split(/[,>]/) }] : []
  })

test.each(resolved)("$url resolving to $addresses is accepted: $accepted", ({ addresses, accepted }) => {
  expect(addresses.every(isPublicAddress)).toBe(accepted)
})

test("the shared file was read", () => {
  expect(resolved.length).toBeGreaterThan(40)
  expect(resolved.filter(({ accepted }) => accepted).length).toBeGreaterThan(5)
})

/** First and last address of every special block, with the neighbours just outside it. */
const edges: [string, string | null, string, string, string | null][] = [
  ["this network", null, "0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["private 10/8", "9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
  ["carrier-grade NAT", "100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
  ["loopback", "126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
  ["Azure's host agent", "168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"],
  ["link local", "169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
  ["private 172.16/12", "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
  ["protocol assignments", "191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"],
  ["documentation 1", "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
  ["AS112", "192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"],
  ["AMT", "192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"],
  ["6to4 relays", "192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"],
  ["private 192.168/16", "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
  ["AS112 delegation", "192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"],
  ["benchmarking", "198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
  ["documentation 2", "198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"],
  ["documentation 3", "203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
  ["multicast and reserved", "223.255.255.255", "224.0.0.0", "255.255.255.255", null],
  ["below global unicast", null, "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
  ["IPv6 protocol assignments", "2000:ffff::", "2001::", "2001:1ff:ffff::ffff", "2001:200::"],
  ["IPv6 documentation", "2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::ffff", "2001:db9::"],
  ["6to4", "2001:ffff::", "2002::", "2002:ffff::ffff", "2003::"],
  ["IPv6 AS112", "2620:4f:7fff::", "2620:4f:8000::", "2620:4f:8000:ffff::", "2620:4f:8001::"],
  ["6bone", "3ffd:ffff::", "3ffe::", "3ffe:ffff::", null],
  ["IPv6 documentation 2", null, "3fff::", "3fff:fff:ffff::", "3fff:1000::"],
  ["above global unicast", "3fff:ffff::", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null],
]

test.each(edges)(
  "%s is refused from its first to its last address, and no further",
  (_, below, first, last, above) => {
    expect([first, last].filter(isPublicAddress)).toEqual([])
    expect([below, above].filter((ip) => ip !== null && !isPublicAddress(ip))).toEqual([])
  },
)

describe("text that is no canonical address is refused", () => {
  test.each([
    "",
    "localhost",
    "127.1",
    "8.8.8",
    "134744072",
    "0x8.8.8.8",
    "08.8.8.8",
    "8.8.8.8:443",
    " 8.8.8.8",
    "8.8.8.8\n",
    "[2606:4700::1]",
    "2606:4700::1%eth0",
    "2606:4700::/32",
  ])("%j", (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})

test.each(["::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::808:808", "::8.8.8.8", "2002:808:808::1"])(
  "%s, an IPv4 address inside IPv6, is refused even when that one is public",
  (ip) => expect(isPublicAddress(ip)).toBe(false),
)

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "93.184.215.14",
  "2606:4700:4700::1111",
  "2a01:e0a::1",
  "2001:4860:4860::8888",
])("%s is public", (ip) => expect(isPublicAddress(ip)).toBe(true))
