import { BlockList, isIPv4, isIPv6 } from "node:net"
import type { Server } from "bun"
import ipaddr from "ipaddr.js"

const peers = new WeakMap<Request, string>()

/** Keeps the address of the connection a request came on, which only the socket knows. */
export function rememberPeer(request: Request, server: Server<unknown>): void {
  const peer = server.requestIP(request)
  if (peer) peers.set(request, peer.address)
}

/** Finds the address of the client of a request. */
export type ClientOf = (request: Request) => string

/**
 * The client is the connection's own address, unless that is a trusted proxy: then X-Forwarded-For is read
 * from the right, and the first address that is not itself a trusted proxy is the client. What stands further
 * left was written by the client and proves nothing.
 */
export function clientReader(trustedProxies: readonly string[]): ClientOf {
  const trusted = blockList(trustedProxies)
  return (request) => {
    let client = plainAddress(peers.get(request) ?? "") ?? "unknown"
    const forwarded = (request.headers.get("x-forwarded-for") ?? "").split(",").reverse()
    for (const hop of forwarded) {
      const address = plainAddress(hop.trim())
      if (!isTrusted(trusted, client) || !address) return client
      client = address
    }
    return client
  }
}

/** What one visitor is known by: the address, or for IPv6 its /64, since a household has all of it. */
export function visitorAddress(client: string): string {
  if (!isIPv6(client)) return client
  const parts = (ipaddr.parse(client) as ipaddr.IPv6).parts
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`
}

/** Without zone, port or brackets, and IPv4 written as such when it comes mapped into IPv6. */
function plainAddress(text: string): string | undefined {
  const bare = text
    .replace(/^\[([^\]]+)\](:\d+)?$/, "$1")
    .replace(/%.*/, "")
    .replace(/^([\d.]+):\d+$/, "$1")
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return undefined
  return ipaddr.process(bare).toString()
}

function isTrusted(list: BlockList, address: string): boolean {
  return isIPv4(address) ? list.check(address, "ipv4") : isIPv6(address) && list.check(address, "ipv6")
}

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [address = "", bits] = block.split("/")
    const family = isIPv4(address) ? "ipv4" : "ipv6"
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family)
  }
  return list
}
