import { isIPv4, isIPv6 } from "node:net"
import { blockTest } from "../base/block-test.ts"

/**
 * Whether the public Internet routes an IP address, as a resolver writes it, to a single host. False for text
 * that is no canonical address: `127.1`, `0x7f.0.0.1`, a zone (`fe80::1%lo`), brackets or a port.
 *
 * This is stricter than the registries' "globally reachable": anycast relays, AS112 sinks and translated IPv4
 * are refused too, since they serve no site and lead to networks that only look foreign.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !isSpecial4(ip)
  return isIPv6(ip) && !ip.includes("%") && isGlobal6(ip) && !isSpecial6(ip)
}

/** Whether a URL leads to the machine of the one who opens it. */
export function isLocalUrl(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")
}

/** IANA's special-purpose registry, multicast, class E, and the host agent of one cloud, which is public. */
const isSpecial4 = blockTest([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's host agent: the virtual machine's own host answers
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
])

/** The only IPv6 space that is handed out for global unicast (RFC 4291). */
const isGlobal6 = blockTest(["2000::/3"])

/** The IANA IPv6 Special-Purpose Address Registry within 2000::/3, and the block that the 6bone gave back. */
const isSpecial6 = blockTest([
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID, AS112
  "2001:db8::/32",
  "2002::/16", // 6to4 carries any IPv4 address inside
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
])
