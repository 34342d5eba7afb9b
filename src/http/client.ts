import { isIPv4, isIPv6 } from "node:net"
import type { Server } from "bun"
import ipaddr from "ipaddr.js"
import { blockTest } from "../base/block-test.ts"

const peers = new WeakMap<Request, string>()

/** Only the server knows a connection's address. Returns the remote port, which names the connection. */
export function rememberPeer(request: Request, server: Server<unknown>): number | undefined {
  const peer = server.requestIP(request)
  if (peer) peers.set(request, peer.address)
  return peer?.port
}

export type ClientOf = (request: Request) => string

/**
 * The client is the remote address of the connection, unless that is a trusted proxy. Then X-Forwarded-For is
 * read from the right, and the first address that is not a trusted proxy is the client. Addresses further
 * left were written by the client and prove nothing.
 */
export function clientReader(trustedProxies: readonly string[]): ClientOf {
  const isTrusted = blockTest(trustedProxies)
  return (request) => {
    let client = plainAddress(peers.get(request) ?? "") ?? "unknown"
    const forwarded = (request.headers.get("x-forwarded-for") ?? "").split(",").reverse()
    for (const hop of forwarded) {
      const address = plainAddress(hop.trim())
      if (!isTrusted(client) || !address) return client
      client = address
    }
    return client
  }
}

/**
 * Watches for X-Forwarded-For from peers that are no trusted proxies, where it is not believed: behind a proxy that
 * the settings do not name, all visitors share one address. Calls `onSeen` at the first such request, and then at
 * most once every `everyMs`. A peer in a private network is named; any other may be a visitor.
 */
export function untrustedForwarding(
  trustedProxies: readonly string[],
  everyMs: number,
  onSeen: (peer: string | undefined, isFirst: boolean) => void,
): (request: Request) => void {
  const isTrusted = blockTest(trustedProxies)
  let seenAtMs: number | undefined
  return (request) => {
    if (!request.headers.has("x-forwarded-for")) return
    const nowMs = performance.now()
    if (seenAtMs !== undefined && nowMs - seenAtMs < everyMs) return
    const peer = plainAddress(peers.get(request) ?? "")
    if (peer === undefined || isTrusted(peer)) return
    const isFirst = seenAtMs === undefined
    seenAtMs = nowMs
    onSeen(ipaddr.parse(peer).range() === "unicast" ? undefined : peer, isFirst)
  }
}

/** Identifies a visitor: the IPv4 address, or the /64 of an IPv6 address, all of which one household has. */
export function visitorAddress(client: string): string {
  if (!isIPv6(client)) return client
  const parts = (ipaddr.parse(client) as ipaddr.IPv6).parts
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`
}

/** Removes zone, port and brackets, and writes an IPv4-mapped IPv6 address as IPv4. */
function plainAddress(text: string): string | undefined {
  const bare = text
    .replace(/^\[([^\]]+)\](:\d+)?$/, "$1")
    .replace(/%.*/, "")
    .replace(/^([\d.]+):\d+$/, "$1")
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return undefined
  return ipaddr.process(bare).toString()
}
