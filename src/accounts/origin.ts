import { parsedUrl } from "../base/text.ts"

/**
 * What names of hosts are made of, and IPv6 addresses. `URL` takes more: a wildcard, which no browser ever
 * sends.
 */
const hostRule = /^(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])$/

/**
 * The origin (scheme, host, port) of an http or https address, in the form browsers send it: lower case,
 * default port left out. Undefined for anything else, what is too long, `null`, lists and wildcards included.
 */
export function originOf(address: string): string | undefined {
  const url = parsedUrl(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return hostRule.test(url.hostname) ? url.origin : undefined
}

/**
 * Whether the `Origin` header of a request is one of the declared origins: compared exactly, as the bytes
 * browsers send. Nothing is parsed here, so that no look-alike is normalised into a match.
 */
export function isDeclared(header: string | null, declared: readonly string[]): boolean {
  return header !== null && declared.includes(header)
}
