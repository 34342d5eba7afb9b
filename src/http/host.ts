import { isIPv6 } from "node:net"
import { parsedUrl } from "../base/text.ts"

/** A name or an IP address as it stands in a URL, before the port. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** A name of 253 characters and a port (RFC 1035). */
const longest = 253 + ":65535".length

/**
 * Elysia cuts the path in the wrong place for a Host of one to three characters (elysia#748), which would
 * serve one route under the name of another; and what no URL can hold (`1.2.3.400`) would fail in whoever
 * reads the address of the request. Such a Host, which no visitor sends, is refused before routing.
 */
export function badHost(request: Request): Response | undefined {
  const host = request.headers.get("host")
  const isHost = host !== null && host.length >= 4 && host.length <= longest && /^[\w.:[\]-]+$/.test(host)
  if (isHost && parsedUrl(`http://${host}`) !== null) return undefined
  return new Response("bad Host header\n", { status: 400 })
}
