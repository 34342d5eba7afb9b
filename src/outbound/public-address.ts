import { BlockList, isIPv4, isIPv6 } from "node:net"

/**
 * Whether an IP address, as a resolver writes it, is one that the public Internet routes to a single host.
 * False for text that is no canonical address: `127.1`, `0x7f.0.0.1`, a zone (`fe80::1%lo`), brackets or a
 * port.
 *
 * Stricter than the registries' "globally reachable": anycast relays, AS112 sinks and translated IPv4 serve
 * no site and reach networks that only look foreign, so they are refused as well.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !special4.check(ip, "ipv4")
  if (!isIPv6(ip) || ip.includes("%")) return false
  return global6.check(ip, "ipv6") && !special6.check(ip, "ipv6")
}

/** Whether an address leads to the very machine on which it is read. */
export function isLocalUrl(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")
}

/**
 * IANA IPv4 Special-Purpose Address Registry, multicast and class E, and one cloud's host agent on a public
 * number.
 */
const special4 = blocks("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's host agent, answered from inside the virtual machine's own host
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

/**
 * The only IPv6 space handed out for global unicast (RFC 4291): loopback, mapped and translated IPv4, unique
 * local, link local and multicast all lie outside.
 */
const global6 = blocks("ipv6", ["2000::/3"])

/** IANA IPv6 Special-Purpose Address Registry within 2000::/3, and the 6bone's returned block. */
const special6 = blocks("ipv6", [
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID, AS112
  "2001:db8::/32",
  "2002::/16", // 6to4 carries any IPv4 address inside
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
])

function blocks(family: "ipv4" | "ipv6", list: readonly string[]): BlockList {
  const found = new BlockList()
  for (const block of list) {
    const [address = "", prefix] = block.split("/")
    found.addSubnet(address, Number(prefix), family)
  }
  return found
}
