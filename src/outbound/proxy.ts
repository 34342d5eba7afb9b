import { isIP, type Socket } from "node:net"
import { isPublicAddress } from "./public-address.ts"
import { socketAddress, type Target } from "./resolve.ts"

/** The way out of a network whose machines may not connect to the internet by themselves: the operator names it. */
export interface OutboundProxy {
  host: string
  port: number
  /** Holds a password, as `authorization` does. */
  url: string
  authorization: string | undefined
}

/** No host of this machine or of a private network: these are reached directly. `host` may be in brackets. */
export function isBeyondProxy(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, "$1")
  return isIP(literal) === 0 ? literal !== "localhost" : isPublicAddress(literal)
}

/** The way to a URL as an option of `fetch`. Without a proxy: direct, or as the variables of other programs say. */
export function fetchWay(proxy: OutboundProxy | undefined, url: string): { proxy?: string } {
  if (!proxy) return {}
  // False is the only word for none, which the types lack.
  return { proxy: isBeyondProxy(new URL(url).hostname) ? proxy.url : (false as never) }
}

/** Largest answer of the proxy, which has no body. */
const maxHeadBytes = 16 * 1024

/**
 * Asks the proxy at the other end of the socket for a tunnel (RFC 9110, 9.3.6) to an address, never to a name: what a
 * name leads to was judged here. Calls `done` once: with the code of a failure, or with nothing when whatever is
 * sent from now on reaches the target.
 */
export function askForTunnel(
  socket: Socket,
  target: Target,
  { authorization }: OutboundProxy,
  done: (code?: string) => void,
): void {
  const place = socketAddress(target)
  let head = ""
  const take = (bytes: Buffer) => {
    head += bytes.toString("latin1")
    const end = head.indexOf("\r\n\r\n")
    if (end === -1 && head.length <= maxHeadBytes) return
    socket.off("data", take)
    const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head) ?? []
    // Neither side of a new tunnel speaks first but the client.
    const isWhole = end !== -1 && status !== undefined
    if (isWhole && !status.startsWith("2")) done(`PROXY_ANSWERED_${status}`)
    else if (isWhole && head.length === end + 4) done()
    else done("PROXY_MALFORMED_ANSWER")
  }
  socket.on("data", take)
  const proof = authorization === undefined ? "" : `proxy-authorization: ${authorization}\r\n`
  socket.write(`CONNECT ${place} HTTP/1.1\r\nhost: ${place}\r\n${proof}\r\n`)
}
