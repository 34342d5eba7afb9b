import { isIPv6 } from "node:net"
import { parsedUrl } from "../base/text.ts"

/** Formats a host name or IP address for a URL: IPv6 goes in brackets. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** A name of 253 characters and a port (RFC 1035). */
const longest = 253 + ":65535".length

/**
 * Whether requests with this Host header can be routed. Elysia cuts the path in the wrong place for a Host of
 * one to three characters (elysia#748), and would serve one route under the name of another. A Host that no
 * URL can hold (`1.2.3.400`) would make code throw that parses `request.url`.
 */
export function isRoutableHost(host: string | null): boolean {
  const isHost = host !== null && host.length >= 4 && host.length <= longest && /^[\w.:[\]-]+$/.test(host)
  return isHost && parsedUrl(`http://${host}`) !== null
}
