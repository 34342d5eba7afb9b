import { parsedUrl } from "./text.ts"

/** `URL` accepts more, such as a wildcard, which no browser ever sends as an origin. */
const hostRule = /^(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])$/

/**
 * The origin (scheme, host, port) of an http or https address, in the form browsers send it: lower case,
 * default port left out. Undefined for anything else: overlong texts, `null`, lists and wildcards included.
 */
export function originOf(address: string): string | undefined {
  const url = parsedUrl(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return hostRule.test(url.hostname) ? url.origin : undefined
}

/** The comparison is exact and parses nothing, so that no look-alike is normalised into a match. */
export function isDeclared(header: string | null, declared: readonly string[]): boolean {
  return header !== null && declared.includes(header)
}
