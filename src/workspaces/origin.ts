/**
 * The origin (scheme, host, port) of an http or https address, in the form browsers send it: lower case, default
 * port left out. Undefined for anything else, `null` and lists included.
 */
export function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return url.origin
}

/**
 * Whether the `Origin` header of a request is one of the declared origins: compared exactly, as the bytes browsers
 * send. Nothing is parsed here, so that no look-alike is normalised into a match.
 */
export function isDeclared(header: string | null, declared: readonly string[]): boolean {
  return header !== null && declared.includes(header)
}
